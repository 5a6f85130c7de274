// What the threads of a block do together on a tile of a flattened computation, thread by thread
// on the host.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/warp_carry.hpp>
#include <fettle/ndp/shape/destination.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;
using fettle::ndp::index_t;

// What the warps of a block do in segmented_carry.cuh, lane by lane.
template <typename Op, typename T, int Threads>
struct emulated_carry {
  using partial = cuda::detail::partial_value<Op, T>;
  std::vector<partial> before{static_cast<std::size_t>(Threads), partial::none()};
  partial all = partial::none();

  // Each thread joins by the operator of the row in which it starts.
  template <typename Partials, typename Ops>
  emulated_carry(const Partials& own, const Ops& ops) {
    constexpr int warps = Threads / 32;
    std::vector<partial> last(warps, partial::none());
    std::vector<bool> ended(warps);
    for (int warp = 0; warp < warps; ++warp) {
      std::uint32_t ends = 0;
      std::vector<partial> sum;
      for (int lane = 0; lane < 32; ++lane) {
        const auto& mine = own[static_cast<std::size_t>(warp * 32 + lane)];
        ends |= (mine.ends_row ? 1U : 0U) << lane;
        sum.push_back(mine.last);
      }
      for (int distance = 1; distance < 32; distance *= 2) {
        const auto earlier = sum;
        for (int lane = 0; lane < 32; ++lane) {
          if (distance > cuda::detail::carry_reach(ends, lane)) continue;
          const auto at = static_cast<std::size_t>(lane);
          sum[at] = joined(ops[static_cast<std::size_t>(warp * 32 + lane)],
                           earlier[at - static_cast<std::size_t>(distance)], earlier[at]);
        }
      }
      partial prefix = partial::none();
      for (int lane = 0; lane < 32; ++lane) {
        const auto thread = static_cast<std::size_t>(warp * 32 + lane);
        prefix = partial::none();
        for (auto w = static_cast<std::size_t>(warp); w > 0; --w) {
          prefix = joined(ops[thread], last[w - 1], prefix);
          if (ended[w - 1]) break;
        }
        partial here = lane > 0 ? sum[static_cast<std::size_t>(lane) - 1] : partial::none();
        if (!cuda::detail::carry_ended(ends, lane)) here = joined(ops[thread], prefix, here);
        before[thread] = here;
      }
      last[static_cast<std::size_t>(warp)] = sum[31];
      ended[static_cast<std::size_t>(warp)] = ends != 0;
      all = cuda::detail::carry_ended(ends, 32) ? sum[31] : joined(ops.back(), prefix, sum[31]);
    }
  }
};

/// What find_tile in flattened_block.cuh finds for the steps [step, end) of a computation's path.
template <typename E>
cuda::detail::tile_bounds emulated_bounds(const E& e, index_t step, index_t end) {
  const auto& shape = outer_shape(e);
  const index_t rows = e.size();
  const index_t base = shape.row_begin(0);
  const index_t atoms = shape.row_begin(rows) - base;
  const ndp::row_ends_of<std::remove_cvref_t<decltype(shape)>> row_end{shape, base};
  const auto first = ndp::find_on_path<index_t>(row_end, rows, atoms, step);
  const auto last = ndp::find_on_path<index_t>(row_end, rows, atoms, end);
  return {first.row,
          base + first.atom,
          shape.row_begin(first.row),
          last.row < rows ? shape.row_begin(last.row + 1) : base + last.atom,
          static_cast<int>(last.row - first.row),
          static_cast<int>(last.atom - first.atom)};
}

/// A block up to the carry: its tile in shared memory, and what each thread has.
template <int Threads, int Steps, bool SameRows, typename E>
struct emulated_block {
  using node = typename E::value_type;
  using value_type = typename node::value_type;
  using op_type = decltype(node::op);
  using tile = cuda::detail::flattened_tile<value_type, Threads, Steps>;

  cuda::detail::tile_bounds bounds;
  typename tile::memory shared;
  std::vector<cuda::detail::thread_steps> steps;
  std::vector<cuda::detail::thread_partials<op_type, value_type>> own;
  std::vector<op_type> ops;

  emulated_block(const E& e, index_t step, index_t end) : bounds(emulated_bounds(e, step, end)) {
    for (int t = 0; t < Threads; ++t) tile::clear_ends(shared, bounds, t);
    for (int t = 0; t < Threads; ++t) {
      tile::template place_row_ends<true>(shared, bounds, outer_shape(e), t);
    }
    find_steps();
    for (int t = 0; t < Threads; ++t) tile::walk(shared, steps[static_cast<std::size_t>(t)], t);
    for (int warp = 0; warp < Threads / 32; ++warp) {
      const auto first = static_cast<std::size_t>(warp * 32);
      const cuda::detail::warp_atoms atoms{steps[first].atom,
                                           steps[first + 32].atom - steps[first].atom};
      for (int lane = 0; lane < 32; ++lane) {
        tile::template evaluate<SameRows>(shared, bounds, e, atoms, lane);
      }
    }
    steps.pop_back();
    const bool goes_on = bounds.first_row + bounds.rows < e.size();
    for (int t = 0; t < Threads; ++t) {
      const auto& mine = steps[static_cast<std::size_t>(t)];
      own.push_back(tile::template reduce<op_type>(shared, mine, t, op_of(e)));
      ops.push_back(op_of(e)(mine.row < bounds.rows || goes_on ? mine.row : bounds.rows - 1));
    }
  }

  // What find_steps in flattened_block.cuh finds; one more, behind the last thread.
  void find_steps() {
    int row = 0;
    for (int t = 0; t < Threads; ++t) {
      steps.push_back(tile::steps_of(shared, t, row));
      row += std::popcount(steps.back().ends);
      // The search of the warps.
      const int total = bounds.rows + bounds.atoms;
      const int step = std::min(t * Steps, total);
      const auto row_end = [&](int i) { return int{shared.row_end(bounds, i)}; };
      REQUIRE(steps.back().row ==
              ndp::find_on_path<int>(row_end, bounds.rows, bounds.atoms, step).row + t * Steps -
                  step);
    }
    steps.push_back({row, Threads * Steps - row, 0});
  }

  auto op_of(const E& e) const {
    return [this, &e](int row) { return cuda::detail::row_at<SameRows>(e, place(row)).op; };
  }
  cuda::detail::row_extent place(int row) const { return tile::extent_of(shared, bounds, row); }
};
