// vector_reduce: a reduction whose elements are sequences of one length, combined element by
// element (reduce > map: the sum of points).
//
// Element j of the result is the reduction of the sources' elements j. Rows are cut in chunks; a
// thread reduces one element of a chunk, neighbours neighbouring elements, and a block combines an
// element's chunks, in order.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/reduce_plan.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// An operator on sequences at one index: what it makes of two sequences whose every
/// element is a and b.
template <typename Op, typename T>
struct operator_at_index {
  static constexpr bool is_commutative = is_commutative_v<Op>;
  static_assert(std::is_invocable_v<const Op&, constant_sequence<T>, constant_sequence<T>>,
                "execute: on platform::cuda the operator of a reduce of sequences has to take "
                "sequences of any type: make its operator() a template");

  Op op;
  index_t width;
  index_t index;

  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return static_cast<T>(
        op(constant_sequence<T>{a, width}, constant_sequence<T>{b, width})[index]);
  }
};

template <typename R>
struct vector_reduction {
  using T = typename R::value_type::value_type;
  using operator_type = operator_at_index<decltype(R::op), T>;
  using partial = partial_value<operator_type, T>;

  /// Rows [begin, end) at one index.
  [[nodiscard]] static __device__ partial of_rows(const R& r, const operator_type& op,
                                                  index_t begin, index_t end) {
    auto sum = partial::none();
#pragma unroll 4
    for (index_t i = begin; i < end; ++i) sum.append(op, static_cast<T>(r.source[i][op.index]));
    return sum;
  }
  [[nodiscard]] static __device__ T after_seed(const R& r, const operator_type& op,
                                               const partial& sum) {
    auto all = partial::of(static_cast<T>(r.seed[op.index]));
    all.append(op, sum);
    return all.value;
  }
};

template <typename Policy, typename R>
__global__ __launch_bounds__(threads_v<Policy>) void vector_chunks_kernel(
    const __grid_constant__ R r, index_t width, index_t chunks,
    typename vector_reduction<R>::T* parts) {
  using reduction = vector_reduction<R>;
  const index_t count = r.source.size();
  const index_t all = chunks * width;
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  for (index_t k = index_t{blockIdx.x} * threads_v<Policy> + thread_in_block(); k < all;
       k += stride) {
    const index_t chunk = k / width;
    const typename reduction::operator_type op{r.op, width, k % width};
    parts[k] = reduction::of_rows(r, op, chunk_begin(chunk, chunks, count, 1),
                                  chunk_begin(chunk + 1, chunks, count, 1))
                   .value;
  }
}

template <typename Policy, typename R, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void vector_elements_kernel(
    const __grid_constant__ R r, const __grid_constant__ D destination, index_t width,
    index_t chunks, typename vector_reduction<R>::T* parts) {
  using reduction = vector_reduction<R>;
  using T = typename reduction::T;
  using block = block_resource<Policy::value.block_size_x, Policy::value.block_size_y,
                               Policy::value.level[0].block_reduce_algo>;
  for (index_t index = blockIdx.x; index < width; index += gridDim.x) {
    const typename reduction::operator_type op{r.op, width, index};
    const strided_sequence<sequence<T>> column{sequence<T>(parts, chunks * width), index, width,
                                               chunks};
    const auto sum = fold<block, true, typename reduction::operator_type, T>(op, column, 0, chunks);
    if (block::rank() == 0) store(destination[index], reduction::after_seed(r, op, sum));
  }
}

template <typename R, typename D>
__global__ void vector_serial_kernel(const __grid_constant__ R r,
                                     const __grid_constant__ D destination, index_t width) {
  using reduction = vector_reduction<R>;
  using T = typename reduction::T;
  const index_t count = r.source.size();
  for (index_t index = 0; index < width; ++index) {
    const typename reduction::operator_type op{r.op, width, index};
    auto value = static_cast<T>(r.seed[index]);
    for (index_t i = 0; i < count; ++i) value = op(value, static_cast<T>(r.source[i][index]));
    store(destination[index], value);
  }
}

/// How many chunks the rows are cut in: enough for all threads of the GPU, at most one a row.
[[nodiscard]] constexpr index_t chunks_of_vectors(index_t count, index_t width,
                                                  index_t threads) noexcept {
  const index_t wanted = ceiling_quotient(threads, width);
  return count < wanted ? count : wanted;
}

/// Element after element of all rows, by one thread.
template <typename R, typename D>
void run_vector_serially(const platform::cuda& on, const computation& named, const R& r,
                         const D& destination) {
  launch(named, on.stream, dim3(1), dim3(1), 0, vector_serial_kernel<R, D>, r, destination,
         r.seed.size());
}

/// destination[j] = seed[j] op source[0][j] op source[1][j] ...
template <typename Policy, typename R, typename D>
void run_vector_reduce(const platform::cuda& on, const computation& named, const R& r,
                       const D& destination) {
  constexpr index_t threads_of_a_multiprocessor = 1024;
  const index_t width = r.seed.size();
  const index_t count = r.source.size();
  if (width == 0) return;
  if (count == 0) {
    run_vector_serially(on, named, r, destination);
    return;
  }
  const index_t chunks = chunks_of_vectors(
      count, width, threads_of_a_multiprocessor * current_device_facts(named).multiprocessors);
  const workspace<typename vector_reduction<R>::T> parts(on, named, chunks * width);
  launch(named, on.stream, dim3(blocks_for(chunks * width, threads_v<Policy>)), block_of<Policy>(),
         0, vector_chunks_kernel<Policy, R>, r, width, chunks, parts.data());
  launch(named, on.stream, dim3(blocks_for(width, 1)), block_of<Policy>(), 0,
         vector_elements_kernel<Policy, R, D>, r, destination, width, chunks, parts.data());
}

}  // namespace fettle::ndp::cuda::detail
