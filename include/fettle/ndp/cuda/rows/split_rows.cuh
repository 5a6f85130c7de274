// split_rows: map > reduce with several blocks a row, for few long rows.
//
// Rows are cut in the same number of chunks; a block reduces a chunk, and a second kernel combines
// a row's chunks in order. Rows need not be contiguous, and no length is read on the host.
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/fold_rounds.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/rows/row_chunk.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/cuda/runtime/resident_blocks.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The sum of a block's atoms, in order, for the last thread of the block. Threads take atoms in
/// turn where order does not matter, else a run of consecutive ones each, or for a long chunk the
/// warps do, by rounds.
template <int Threads, bool ByRounds = false, typename R>
[[nodiscard]] __device__ auto reduce_chunk(const R& r, const row_chunk& chunk, int thread) {
  using operator_type = decltype(r.op);
  using value_type = typename R::value_type;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  __shared__ typename carry::memory shared;
  if constexpr (is_commutative_v<operator_type>) {
    const auto sum = partial_of<operator_type, value_type>(r.op, r.source, chunk.begin + thread,
                                                           chunk.end, Threads);
    return carry::over_block(shared, thread, false, sum, r.op).all;
  } else {
    const auto sum = [&] {
      if constexpr (ByRounds && gains_by_rounds_v<operator_type, value_type>) {
        return fold_part_of_warp<warp_resource<32>, operator_type, value_type>(
            r.op, r.source, chunk.begin, chunk.end, thread / 32, Threads / 32);
      } else {
        const row_chunk own = row_chunk::of(chunk.end - chunk.begin, thread, Threads);
        return partial_of<operator_type, value_type>(r.op, r.source, chunk.begin + own.begin,
                                                     chunk.begin + own.end, 1);
      }
    }();
    return carry::over_block(shared, thread, false, sum, r.op).all;
  }
}

/// Where the chunks' sums lie: in a workspace, or in the stream's room, which costs nothing.
template <typename Partial>
struct chunk_sums {
  Partial* in_workspace = nullptr;
  arrivals counter{};

  [[nodiscard]] __device__ Partial& operator[](index_t i) const {
    return (in_workspace != nullptr ? in_workspace : counter.template room<Partial>())[i];
  }
};

template <int Threads, typename E, typename Partial>
__global__ __launch_bounds__(Threads) void split_rows_kernel(const __grid_constant__ E e,
                                                             index_t chunks,
                                                             chunk_sums<Partial> partials) {
  allow_next_kernel();
  const auto r = e[index_t{blockIdx.x} / chunks];
  const int thread = static_cast<int>(threadIdx.x);
  const auto sum = reduce_chunk<Threads, true>(
      r, row_chunk::of(r.source.size(), index_t{blockIdx.x} % chunks, chunks), thread);
  if (thread == Threads - 1) partials[blockIdx.x] = sum;
}

template <int Threads, typename E, typename D, typename Partial>
__global__ __launch_bounds__(Threads) void combine_chunks_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t chunks,
    chunk_sums<Partial> partials) {
  const auto r = e[blockIdx.x];
  wait_for_kernel_before();
  using operator_type = decltype(r.op);
  using value_type = typename decltype(r)::value_type;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  __shared__ typename carry::memory shared;
  const int thread = static_cast<int>(threadIdx.x);
  const row_chunk own = row_chunk::of(chunks, thread, Threads);
  auto sum = Partial::none();
  for (index_t i = own.begin; i < own.end; ++i) {
    sum.append(r.op, partials[blockIdx.x * chunks + i]);
  }
  sum = carry::over_block(shared, thread, false, sum, r.op).all;
  if (thread != Threads - 1) return;
  auto value = Partial::of(static_cast<value_type>(r.seed));
  value.append(r.op, sum);
  store(destination[blockIdx.x], value.value);
}

/// Realises a map > reduce into destination[i] with `chunks` blocks a row. block_size_x and _y give
/// the threads of a block.
template <typename E, random_access D, constant_policy Policy>
void split_rows(const platform::cuda& on, const computation& named, const E& e,
                const D& destination, Policy /*policy*/, index_t chunks) {
  using reduction = typename E::value_type;
  using partial = partial_value<decltype(reduction::op), typename reduction::value_type>;
  static_assert(
      is_combinable_v<reduction>,
      "execute: reduce at level 2 cannot be cooperative: its elements have to be values of "
      "the type that its operator yields; use schedule independent>sequential");
  constexpr int threads = Policy::value.block_size_x * Policy::value.block_size_y;
  constexpr int combine_threads = 128;
  const index_t rows = e.size();
  if (rows == 0) return;
  const arrival_counter counter(on, named);
  chunk_sums<partial> sums{nullptr, counter.get()};
  std::optional<workspace<partial>> memory;
  if (rows * chunks > index_t{stream_room_bytes} ||
      !counter.has_room<partial>(static_cast<int>(rows * chunks))) {
    memory.emplace(on, named, rows * chunks);
    sums.in_workspace = memory->data();
  }
  launch(named, on.stream, dim3(static_cast<unsigned>(rows * chunks)), dim3(threads), 0,
         split_rows_kernel<threads, E, partial>, e, chunks, sums);
  launch_early(named, on.stream, dim3(static_cast<unsigned>(rows)), dim3(combine_threads),
               combine_chunks_kernel<combine_threads, E, D, partial>, e, destination, chunks, sums);
}

/// As many blocks a row as keep a GPU busy, of which a multiprocessor holds `resident` at once.
[[nodiscard]] constexpr index_t chunks_of_rows(index_t rows, int multiprocessors, int resident) {
  constexpr int most = 8;  // of a multiprocessor: 2048 threads
  const index_t blocks = index_t{multiprocessors} * (resident < most ? resident : most);
  return rows > 0 ? ceiling_quotient(blocks, rows) : 1;
}

template <typename E, random_access D, constant_policy Policy>
void split_rows(const platform::cuda& on, const computation& named, const E& e,
                const D& destination, Policy policy) {
  using reduction = typename E::value_type;
  using partial = partial_value<decltype(reduction::op), typename reduction::value_type>;
  constexpr int threads = Policy::value.block_size_x * Policy::value.block_size_y;
  split_rows(
      on, named, e, destination, policy,
      chunks_of_rows(e.size(), current_device_facts(named).multiprocessors,
                     resident_blocks<split_rows_kernel<threads, E, partial>, threads>(named)));
}

}  // namespace fettle::ndp::cuda::detail
