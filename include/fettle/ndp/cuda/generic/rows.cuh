// rows: an outer level whose elements are parallel computations: a row for each logical warp or
// block, in parallel (independent>...) or one after the other (sequential>...).
//
// grain_size rows are one resource's at a time.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Policy, typename Resource, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  constexpr int grain = level_v<Policy, 0>.grain_size;
  constexpr int per_block = resources_per_block_v<Resource, Policy>;
  const index_t resource = index_t{blockIdx.x} * per_block + Resource::index_in_block();
  const index_t stride = index_t{gridDim.x} * per_block * grain;
  for (index_t first = resource * grain; first < count; first += stride) {
#pragma unroll 1
    for (int k = 0; k < grain; ++k) {
      if (first + k < count) realise_row<Policy, 0, Resource>(e, destination, first + k);
    }
  }
}

/// `chunks` blocks a row of a map > map, each a part of it.
template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void row_chunks_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t chunks,
    index_t pieces) {
  using block = block_resource<Policy::value.block_size_x, Policy::value.block_size_y>;
  for (index_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const index_t i = piece / chunks;
    const index_t chunk = piece - i * chunks;
    const auto row = e[i];
    const index_t size = row.size();
    const index_t length = ceiling_quotient(size, chunks);
    const index_t begin = chunk * length;
    realise_range<Policy, 1, block>(row, row_destination(e, destination, i, size), begin,
                                    begin + length < size ? begin + length : size);
  }
}

/// One resource walks all rows; what it wrote for one may be read for the next.
template <typename Policy, typename Resource, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void sequential_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  if (Resource::index_in_block() != 0) return;
  for_each_in_order<level_v<Policy, 0>.unroll>(count, [&](index_t i) {
    realise_row<Policy, 0, Resource>(e, destination, i);
    Resource::wait();
  });
}

/// A single instance of a level: all of a reduce or scan by one resource, or by one thread in
/// order.
template <typename Policy, typename Resource, bool InOrder, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void single_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination) {
  if (Resource::index_in_block() != 0) return;
  if constexpr (is_reduced_v<E>) {
    if constexpr (InOrder || !is_combinable_v<E>) {
      if (Resource::rank() != 0) return;
      store(destination[0], serial_value<level_v<Policy, 0>.unroll>(e));
    } else {
      const auto value = reduced_by<Resource, true>(e);
      if (Resource::rank() == 0) store(destination[0], value);
    }
  } else if constexpr (InOrder) {
    realise_serially<Policy, 0>(e, destination);
  } else {
    realise_by<Policy, 0, Resource>(e, destination);
  }
}

/// independent>cooperative and independent>independent: a row for each Resource.
template <typename Policy, typename Resource, typename E, typename D>
void run_rows(const platform::cuda& on, const computation& named, const E& e,
              const D& destination) {
  constexpr index_t per_block =
      index_t{resources_per_block_v<Resource, Policy>} * level_v<Policy, 0>.grain_size;
  const index_t count = e.size();
  launch(named, on.stream, dim3(blocks_for(count, per_block)), block_of<Policy>(), 0,
         rows_kernel<Policy, Resource, E, D>, e, destination, count);
}

/// independent>independent: `chunks` blocks a row, whose elements do not depend on each other.
template <typename Policy, typename E, typename D>
void run_row_chunks(const platform::cuda& on, const computation& named, const E& e,
                    const D& destination, index_t chunks) {
  const index_t pieces = e.size() * chunks;
  launch(named, on.stream, dim3(blocks_for(pieces, 1)), block_of<Policy>(), 0,
         row_chunks_kernel<Policy, E, D>, e, destination, chunks, pieces);
}

/// sequential>cooperative and sequential>independent: one Resource walks the rows.
template <typename Policy, typename Resource, typename E, typename D>
void run_sequential_rows(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination) {
  const index_t count = e.size();
  if (count == 0) return;
  const dim3 block = Resource::size == 1 ? dim3(1) : block_of<Policy>();
  launch(named, on.stream, dim3(1), block, 0, sequential_kernel<Policy, Resource, E, D>, e,
         destination, count);
}

/// A reduce or scan by one Resource (cooperative, execution_resource given), or by one thread in
/// order (sequential).
template <typename Policy, typename Resource, bool InOrder, typename E, typename D>
void run_single(const platform::cuda& on, const computation& named, const E& e,
                const D& destination) {
  const dim3 block = Resource::size == 1 ? dim3(1) : block_of<Policy>();
  launch(named, on.stream, dim3(1), block, 0, single_kernel<Policy, Resource, InOrder, E, D>, e,
         destination);
}

}  // namespace fettle::ndp::cuda::detail
