// Regrouping of slots.hpp where three tiles are too large for one multiprocessor: all blocks
// together load a strip of tiles into shared memory, wait for each other, and store it, while they
// load the next.
#pragma once

#include <utility>

#include "device_regroup.cuh"

namespace transpose::device {

constexpr unsigned strip_threads = 1024;

/// Strips of whole tiles. A block has some columns of some tiles of every strip: a band of `width`
/// columns of `tiles` tiles. No tile where a tile is too large for all multiprocessors.
struct strip_plan {
  number width;
  number bands;        ///< of all columns
  number groups;       ///< of tiles
  number tiles;        ///< a group
  number count;        ///< of strips
  number stride;       ///< of slots in shared memory, so that rows' elements meet different banks
  std::size_t shared;  ///< bytes, two buffers

  FETTLE_HOST_DEVICE number slots() const { return width * tiles; }
};

/// Bands of some 40 columns, a few memory transactions wide, or of more where the blocks are fewer.
template <class Value>
strip_plan strips_of(const slot_layout& a) {
  const number blocks = multiprocessors();
  strip_plan plan{};
  const number groups = std::clamp((blocks * 40 + a.n / 2) / a.n, 1U, blocks);
  plan.width = (a.n + blocks / groups - 1) / (blocks / groups);
  plan.bands = (a.n + plan.width - 1) / plan.width;
  plan.groups = blocks / plan.bands;
  plan.stride = a.length + (a.m % 2 == 0 ? 1 : 0);
  const std::size_t bytes = 2 * plan.stride * sizeof(Value);  // of a slot
  const auto most = static_cast<number>(most_shared / bytes / plan.width);
  if (most == 0) return plan;
  const auto parts = [](number whole, number part) { return (whole + part - 1) / part; };
  plan.count = parts(a.tiles, most * plan.groups);
  plan.tiles = parts(a.tiles, plan.count * plan.groups);
  plan.shared = plan.slots() * bytes;
  return plan;
}

/// The part of one block.
template <class Value>
struct strip_part {
  Value* data;
  Value* shared;
  const slot_layout& a;
  const strip_plan& plan;
  number column = blockIdx.x % plan.bands * plan.width;
  number width = min(plan.width, a.n - column);

  __device__ Value& at(number buffer, number tile, number j, number r) const {
    const number slot = buffer * plan.slots() + tile * plan.width + j;
    return shared[slot * plan.stride + r];
  }
  /// The block's tiles of a strip.
  __device__ void range(number strip, number& first, number& count) const {
    const number group = blockIdx.x / plan.bands;
    first = min(a.tiles, (strip * plan.groups + group) * plan.tiles);
    count = group < plan.groups ? min(plan.tiles, a.tiles - first) : 0;
  }
  /// Calls visit(element in the slots' order, the same in shared memory, slot, r).
  template <class Visit>
  __device__ void for_each_in_slots(number strip, number buffer, const Visit& visit) const {
    number first;
    number count;
    range(strip, first, count);
    const number band = width << a.shift;
    for_each_of_block(count * band, band, [&](number, number tile, number k) {
      const number slot = (first + tile) * a.n + column;
      const number j = k >> a.shift;
      const number r = k & (a.length - 1);
      visit(data[(slot << a.shift) + k], at(buffer, tile, j, r), slot + j, r);
    });
  }
  /// Calls visit(element in the rows' array, the same in shared memory): the slots' rows, which
  /// begin in these tiles and end in the next one.
  template <class Visit>
  __device__ void for_each_in_rows(number strip, number buffer, const Visit& visit) const {
    number first;
    number count;
    range(strip, first, count);
    if (count == 0) return;
    const number rows = min((count + 1) << a.shift, a.m - (first << a.shift));
    Value* const begin = data + (first << a.shift) * a.n + column;
    for_each_of_block(rows * width, width, [&](number, number row, number j) {
      const number k = row - a.phase(column + j);  // wraps where the row is in front
      if (k < count << a.shift)
        visit(begin[row * a.n + j], at(buffer, k >> a.shift, j, k & (a.length - 1)));
    });
  }
};

/// Loads strip after strip, from the last one if `Descending`, and stores each when all blocks have
/// loaded it.
template <bool Descending, class Load, class Store>
__device__ void pass_over_strips(number count, const Load& load, const Store& store) {
  const auto grid = cooperative_groups::this_grid();
  const auto strip = [&](number k) { return Descending ? count - 1 - k : k; };
  load(strip(0), 0U);
  __pipeline_commit();
  for (number k = 0; k < count; ++k) {
    __pipeline_wait_prior(0);
    auto arrived = grid.barrier_arrive();
    if (k + 1 < count) load(strip(k + 1), (k + 1) % 2);
    __pipeline_commit();
    grid.barrier_wait(std::move(arrived));
    store(strip(k), k % 2);
  }
}

/// What regroup_kernel does.
template <class Value>
__global__ void __launch_bounds__(strip_threads, 1)
    regroup_strips_kernel(Value* data, slot_chains<true> chains, strip_plan plan, Value* saved,
                          Value* edges) {
  extern __shared__ __align__(16) unsigned char shared[];
  const slot_layout& a = chains.layout;
  const strip_part<Value> part{data, reinterpret_cast<Value*>(shared), a, plan};
  save_edges<Value>(data, a, edges);
  pass_over_strips<false>(
      plan.count,
      [&](number strip, number buffer) {
        part.for_each_in_rows(strip, buffer,
                              [](Value& outside, Value& inside) { load_async(&inside, &outside); });
      },
      [&](number strip, number buffer) {
        part.for_each_in_slots(strip, buffer,
                               [&](Value& outside, const Value& inside, number slot, number r) {
                                 outside = inside;
                                 if (chains.is_head(slot))
                                   saved[(slot >> chains.distance << a.shift) + r] = inside;
                               });
      });
}

/// What ungroup_kernel does: a strip's last rows are stored into the next strip, so that this one
/// must be loaded before.
template <class Value>
__global__ void __launch_bounds__(strip_threads, 1)
    ungroup_strips_kernel(Value* data, slot_layout a, strip_plan plan) {
  extern __shared__ __align__(16) unsigned char shared[];
  const strip_part<Value> part{data, reinterpret_cast<Value*>(shared), a, plan};
  pass_over_strips<true>(
      plan.count,
      [&](number strip, number buffer) {
        part.for_each_in_slots(strip, buffer, [](Value& outside, Value& inside, number, number) {
          load_async(&inside, &outside);
        });
      },
      [&](number strip, number buffer) {
        part.for_each_in_rows(strip, buffer,
                              [](Value& outside, const Value& inside) { outside = inside; });
      });
}

}  // namespace transpose::device
