// What every kernel over flattened shares does first: a block finds its share and evaluates its
// atoms.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/ndp/cuda/flat_row.hpp>
#include <fettle/ndp/cuda/flattened_share.hpp>
#include <fettle/ndp/cuda/merge_path.hpp>
#include <fettle/ndp/destination.hpp>
#include <fettle/ndp/index.hpp>

namespace fettle::ndp::cuda {

/// The two ends of a share, found by one warp each.
struct share_edges {
  index_t row[2];
  index_t atom[2];
  index_t edge[2];
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

/// The bounds of the share that starts at `step`, for all threads of the block; false where the
/// path ends before. A barrier is in it.
template <int Threads, typename Shape>
[[nodiscard]] __device__ bool find_share(const Shape& shape, index_t rows, index_t step,
                                         int share_steps, share_edges& edges,
                                         share_bounds& bounds) {
  const index_t base = shape.row_begin(0);
  const index_t atoms = shape.row_begin(rows) - base;
  if (step >= rows + atoms) return false;
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int side = static_cast<int>(threadIdx.x / 32); side < 2; side += Threads / 32) {
    index_t at = step + (side == 0 ? 0 : share_steps);
    if (at > rows + atoms) at = rows + atoms;
    auto search = path_search<index_t>::over(rows, atoms, at);
    const row_ends_of<Shape> row_end{shape, base};
    while (!search.found()) {
      const index_t row = search.probe(lane, 32);
      const bool before = row < search.high && search.comes_before(row, row_end(row));
      search.narrow(__popc(__ballot_sync(0xFFFFFFFFU, before)), 32);
    }
    if (lane == 0) {
      const path_place<index_t> found = search.place();
      edges.row[side] = found.row;
      edges.atom[side] = found.atom;
      edges.edge[side] = side == 0          ? shape.row_begin(found.row)
                         : found.row < rows ? shape.row_begin(found.row + 1)
                                            : base + found.atom;
    }
  }
  __syncthreads();
  bounds = {edges.row[0],
            base + edges.atom[0],
            edges.edge[0],
            edges.edge[1],
            static_cast<int>(edges.row[1] - edges.row[0]),
            static_cast<int>(edges.atom[1] - edges.atom[0])};
  return true;
}

/// The row at `place`; have_same_rows(e) decides how it is built.
template <typename E>
[[nodiscard]] __device__ auto row_of_block(const E& e, const row_place& place, bool same_rows) {
  return same_rows ? row_at<true>(e, place) : row_at<false>(e, place);
}

/// The thread's steps, with the share's atoms in shared memory. Barriers are in it.
template <typename Share, typename E>
[[nodiscard]] __device__ thread_steps evaluate_share(typename Share::memory& shared,
                                                     const share_bounds& bounds, const E& e,
                                                     bool same_rows, int thread) {
  Share::place_row_ends(shared, bounds, outer_shape(e), thread);
  __syncthreads();
  const thread_steps steps = Share::walk(shared, bounds, thread);
  __syncthreads();
  if (same_rows) {
    Share::template evaluate<true>(shared, bounds, e, thread);
  } else {
    Share::template evaluate<false>(shared, bounds, e, thread);
  }
  __syncthreads();
  return steps;
}

/// The row in which a thread starts; a thread behind the last step of all is given the last row.
[[nodiscard]] __device__ inline int starting_row(const share_bounds& bounds,
                                                 const thread_steps& steps, index_t rows) {
  const bool goes_on = bounds.first_row + bounds.rows < rows;
  return steps.row < bounds.rows || goes_on ? steps.row : bounds.rows - 1;
}

}  // namespace fettle::ndp::cuda
