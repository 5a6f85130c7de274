// What every kernel over flattened tiles does first: a block finds its tile and evaluates its
// atoms.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A boundary between two tiles: what comes before it, in the shape's own counts, and the
/// row that it lies in.
struct tile_edge {
  index_t row;
  index_t atom;       // in the shape's flat source
  index_t row_begin;  // of `row`; the end of all atoms behind the last row
  index_t row_end;
};

/// The operator of a row; where the operator has no state, the row is not built for it.
template <typename R, typename MakeRow>
[[nodiscard]] __device__ auto operator_of(const MakeRow& make_row) {
  using operator_type = decltype(R::op);
  if constexpr (std::is_empty_v<operator_type> &&
                std::is_trivially_default_constructible_v<operator_type>) {
    return operator_type{};
  } else {
    return make_row().op;
  }
}

/// The path of a nested sequence's rows.
template <typename Shape>
struct row_path {
  const Shape& shape;
  index_t rows;
  index_t base;  // where the first row begins

  [[nodiscard]] static __device__ row_path of(const Shape& shape, index_t rows) {
    return {shape, rows, shape.row_begin(0)};
  }

  /// The boundary at `step`, or at the path's end; searched by the lanes of a warp together. A
  /// round of the search waits for memory, so lanes look at several rows where others look at them
  /// too (in the first round) or they are few enough to be neighbours.
  [[nodiscard]] __device__ tile_edge edge_at(index_t step, int lane) const {
    constexpr int several = 4;
    // As if there were any number of atoms: how many there are would have to be waited for.
    auto search = path_search<index_t>::over(rows, step, step);
    if (!search.found()) look<several>(search, lane);
    while (!search.found()) {
      if (search.high - search.low <= 32 * several) {
        look<several>(search, lane);
      } else {
        look<1>(search, lane);
      }
    }
    const path_coordinate<index_t> extent = search.coordinate();
    if (extent.row >= rows) {
      const index_t end = shape.row_begin(rows);
      return {rows, end, end, end};
    }
    return {extent.row, base + extent.atom, shape.row_begin(extent.row),
            shape.row_begin(extent.row + 1)};
  }

 private:
  template <int RowsALane>
  __device__ void look(path_search<index_t>& search, int lane) const {
    const row_ends_of<Shape> row_end{shape, base};
    bool before[RowsALane];
#pragma unroll
    for (int i = 0; i < RowsALane; ++i) {
      const index_t row = search.probe(lane + 32 * i, 32 * RowsALane);
      before[i] = row < search.high && search.comes_before(row, row_end(row));
    }
    int count = 0;
#pragma unroll
    for (int i = 0; i < RowsALane; ++i) count += __popc(__ballot_sync(0xFFFFFFFFU, before[i]));
    search.narrow(count, 32 * RowsALane);
  }
};

/// The tile between two boundaries.
[[nodiscard]] __device__ inline tile_bounds bounds_between(const tile_edge& begin,
                                                           const tile_edge& end) {
  return {begin.row,
          begin.atom,
          begin.row_begin,
          end.row_end,
          static_cast<int>(end.row - begin.row),
          static_cast<int>(end.atom - begin.atom)};
}

/// The bounds of the tile that starts at `step`, for all threads of the block; false where the
/// path ends before. A barrier is in it.
template <int Threads, typename Shape>
[[nodiscard]] __device__ bool find_tile(const Shape& shape, index_t rows, index_t step,
                                        int tile_steps, tile_edge (&edges)[2],
                                        tile_bounds& bounds) {
  const auto path = row_path<Shape>::of(shape, rows);
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int side = static_cast<int>(threadIdx.x / 32); side < 2; side += Threads / 32) {
    const tile_edge edge = path.edge_at(step + (side == 0 ? 0 : tile_steps), lane);
    if (lane == 0) edges[side] = edge;
  }
  __syncthreads();
  bounds = bounds_between(edges[0], edges[1]);
  return bounds.first_row < rows;
}

/// A warp for each boundary between tiles: where there are many tiles, that is done once rather
/// than by every block while its threads wait. Clears what the tiles will post.
template <int Threads, typename E, typename T>
__global__ __launch_bounds__(Threads) void find_edges_kernel(const __grid_constant__ E e,
                                                             index_t rows, index_t tile_steps,
                                                             index_t count, tile_edge* edges,
                                                             posted_carries<T> carries) {
  allow_next_kernel();
  const auto& shape = outer_shape(e);
  const index_t number = index_t{blockIdx.x} * (Threads / 32) + threadIdx.x / 32;
  if (number >= count) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (number < count - 1) carries.clear(number, lane, 32);
  const auto path = row_path<std::remove_cvref_t<decltype(shape)>>::of(shape, rows);
  const index_t end = shape.row_begin(rows);
  // Of rows whose source has others' atoms, too, many tiles lie behind the end: nothing to search.
  const bool is_behind = number * tile_steps >= rows + end - path.base;
  const tile_edge edge =
      is_behind ? tile_edge{rows, end, end, end} : path.edge_at(number * tile_steps, lane);
  if (lane == 0) edges[number] = edge;
}

/// The row at `extent`; have_same_rows(e) decides how it is built.
template <typename E>
[[nodiscard]] __device__ auto row_of_block(const E& e, const row_extent& extent, bool same_rows) {
  return same_rows ? row_at<true>(e, extent) : row_at<false>(e, extent);
}

/// The thread's run of steps, and its warp's atoms, when row ends are placed.
template <typename Tile>
[[nodiscard]] __device__ thread_steps find_steps(typename Tile::memory& shared,
                                                 const tile_bounds& bounds, int thread,
                                                 warp_atoms& atoms) {
  constexpr int warp_steps = 32 * Tile::steps_a_thread;
  const int lane = thread % 32;
  const int begin = thread / 32 * warp_steps;
  const int total = bounds.rows + bounds.atoms;
  const int step = begin < total ? begin : total;
  auto search = path_search<int>::over(bounds.rows, bounds.atoms, step);
  while (!search.found()) {
    const int row = search.probe(lane, 32);
    const bool before = row < search.high && search.comes_before(row, shared.row_end(bounds, row));
    search.narrow(__popc(__ballot_sync(0xFFFFFFFFU, before)), 32);
  }
  const int warp_row = search.coordinate().row + (begin - step);
  const int own = __popc(Tile::ends_in(shared, thread));
  int rows = own;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xFFFFFFFFU, rows, static_cast<unsigned>(distance));
    if (distance <= lane) rows += left;
  }
  atoms = {begin - warp_row, warp_steps - __shfl_sync(0xFFFFFFFFU, rows, 31)};
  return Tile::steps_of(shared, thread, warp_row + rows - own);
}

/// The thread's steps, with the atoms of its warp in shared memory. Barriers are in it.
template <typename Tile, typename E>
[[nodiscard]] __device__ thread_steps evaluate_tile(typename Tile::memory& shared,
                                                    const tile_bounds& bounds, const E& e,
                                                    bool same_rows, int thread) {
  Tile::clear_ends(shared, bounds, thread);
  __syncthreads();
  Tile::template place_row_ends<true>(shared, bounds, outer_shape(e), thread);
  __syncthreads();
  warp_atoms atoms;
  const thread_steps steps = find_steps<Tile>(shared, bounds, thread, atoms);
  Tile::walk(shared, steps, thread);
  __syncwarp();
  if (same_rows) {
    Tile::template evaluate<true>(shared, bounds, e, atoms, thread % 32);
  } else {
    Tile::template evaluate<false>(shared, bounds, e, atoms, thread % 32);
  }
  __syncwarp();
  return steps;
}

/// The row in which a thread starts; a thread behind the last step of all is given the last row.
[[nodiscard]] __device__ inline int starting_row(const tile_bounds& bounds,
                                                 const thread_steps& steps, index_t rows) {
  const bool goes_on = bounds.first_row + bounds.rows < rows;
  return steps.row < bounds.rows || goes_on ? steps.row : bounds.rows - 1;
}

}  // namespace fettle::ndp::cuda::detail
