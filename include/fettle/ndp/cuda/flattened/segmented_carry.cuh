// segmented_carry: passes a thread's partial result of an unfinished row to the threads after it,
// in order, across a block.
//
// A segmented scan by the operator: a thread that ends a row starts anew. Inside a warp by
// shuffles, from warp to warp through shared memory. No identity and no commutativity is needed.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/tile_memory.hpp>
#include <fettle/ndp/cuda/flattened/warp_carry.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Op, typename T, int Threads>
struct segmented_carry {
  static_assert(Threads % 32 == 0, "a block has whole warps");
  static constexpr int warps = Threads / 32;
  using partial = partial_value<Op, T>;

  struct memory {
    alignas(partial) unsigned char last_bytes[std::size_t{warps} * sizeof(partial)];
    bool ends_row[std::size_t{warps}];

    [[nodiscard]] __device__ partial* last() { return reinterpret_cast<partial*>(last_bytes); }
  };

  partial before;  // what the threads before have of the row in which this thread starts
  partial all;     // the same for the thread behind this one

  /// For all threads of the block. `ends_row`: this thread's `last` starts anew.
  [[nodiscard]] static __device__ segmented_carry over_block(memory& shared, int thread,
                                                             bool ends_row, const partial& last,
                                                             const Op& op) {
    const int lane = thread % 32;
    const int warp = thread / 32;
    const unsigned ends = __ballot_sync(0xFFFFFFFFU, ends_row);
    const int reach = carry_reach(ends, lane);
    partial sum = last;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const partial left = warp_resource<32>::from_lane_below(sum, distance);
      if (distance <= reach) sum = joined(op, left, sum);
    }
    const partial left = warp_resource<32>::from_lane_below(sum, 1);
    if (lane == 31) {
      shared.last()[warp] = sum;
      shared.ends_row[warp] = ends != 0;
    }
    __syncthreads();
    // Back to the last warp that ends a row: where rows are short, the one before.
    partial prefix = partial::none();
#pragma unroll 1
    for (int w = warp - 1; w >= 0; --w) {
      prefix = joined(op, shared.last()[w], prefix);
      if (shared.ends_row[w]) break;
    }
    segmented_carry out{lane > 0 ? left : partial::none(), sum};
    if (!carry_ended(ends, lane)) out.before = joined(op, prefix, out.before);
    if (!carry_ended(ends, lane + 1)) out.all = joined(op, prefix, out.all);
    return out;
  }
};

}  // namespace fettle::ndp::cuda::detail
