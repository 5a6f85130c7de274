// long_programs: rows of a row program that are far longer than the others. A first kernel, which
// gives each row a warp or less, leaves them; a second one, which is on its way while the first
// runs, looks for them and gives each a block. Nothing is listed in memory: a counter of the stream
// says whether there are any.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/rows/program_rows.hpp>
#include <fettle/ndp/cuda/rows/reading_team.cuh>
#include <fettle/ndp/cuda/rows/row_program.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Threads of a block that has a long row.
inline constexpr int long_program_threads = 1024;

/// The rows that the first kernel left, by blocks that look at every gridDim.x-th row each, so that
/// long rows beside each other are different blocks'.
template <typename E, typename D>
__global__ __launch_bounds__(long_program_threads) void long_programs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count,
    const left_programs left) {
  using block = block_resource<long_program_threads, 1>;
  __shared__ int found;
  __shared__ index_t rows[long_program_threads];
  wait_for_kernel_before();
  if (*left.counter.tally() == 0) return;
  for (index_t first = blockIdx.x; first < count; first += index_t{gridDim.x} * block::size) {
    __syncthreads();  // all have read `found` of the rows before
    if (block::rank() == 0) found = 0;
    __syncthreads();
    const index_t i = first + index_t{gridDim.x} * block::rank();
    if (i < count && left.leaves(e, i)) rows[atomicAdd(&found, 1)] = i;
    __syncthreads();
    for (int k = 0; k < found; ++k) {
      run_program<reading_team<block>, block, 0>(e, destination, rows[k]);
      __syncthreads();
    }
  }
  if (block::rank() == 0 && left.counter.is_last(gridDim.x)) *left.counter.tally() = 0;
}

/// Elements of a row, at most, that the first kernel does itself.
inline constexpr index_t longest_of_warp_program = 4096;

/// launch(left): the first kernel, which leaves rows that are longer; then the second one. Where no
/// row can be long, or what a warp needs for one is little, the first kernel has all.
template <typename E, typename D, typename Launch>
void run_with_long_programs(const platform::cuda& on, const computation& named, const E& e,
                            const D& destination, const Launch& launch) {
  constexpr index_t little_work = 1 << 18;  // elements
  if (!may_have_long_rows(e, longest_of_warp_program, little_work)) return launch(left_programs{});
  const arrival_counter counter(on, named);
  const left_programs left{longest_of_warp_program, counter.get()};
  launch(left);
  const dim3 blocks(static_cast<unsigned>(current_device_facts(named).multiprocessors));
  launch_early(named, on.stream, blocks, dim3(long_program_threads), long_programs_kernel<E, D>, e,
               destination, e.size(), left);
}

}  // namespace fettle::ndp::cuda::detail
