// Very long rows, cut in pieces: the blocks of a kernel that meet such a row enter it in a list,
// and those of a second kernel take all rows' pieces. A row's pieces are combined in order by the
// block that is done with its last one, so that results are the same in every run.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A row that is cut.
struct cut_row {
  row_extent extent;  // its index is -1 where there was no room for its pieces
  unsigned first;     // of its pieces, among all rows'
  unsigned pieces;
  unsigned done;  // of its pieces
};

/// The rows that are cut, in the order of their pieces. How many there are is the stream's tally,
/// which is zero before the two kernels and after them: rows in the lower half, pieces in the
/// upper.
template <typename Partial>
struct cut_row_list {
  cut_row* given_rows = nullptr;  // null: both are in the stream's room
  Partial* given_sums = nullptr;
  unsigned row_capacity = 0;
  unsigned piece_capacity = 0;
  arrivals counter{};

  void in_workspace(cut_row* rows_there, Partial* sums_there) {
    given_rows = rows_there;
    given_sums = sums_there;
  }
  [[nodiscard]] __device__ cut_row* rows() const {
    return given_rows != nullptr ? given_rows : counter.template room<cut_row>();
  }
  /// What was reduced of the pieces.
  [[nodiscard]] __device__ Partial* sums() const {
    return given_sums != nullptr
               ? given_sums
               : counter.template room_after<Partial>(row_capacity * sizeof(cut_row));
  }

  [[nodiscard]] static __device__ unsigned row_count(unsigned long long tally) {
    return static_cast<unsigned>(tally);
  }
  [[nodiscard]] static __device__ unsigned piece_count(unsigned long long tally) {
    return static_cast<unsigned>(tally >> 32U);
  }

  /// By one thread: a row of `size` atoms. False where there is no room for it.
  [[nodiscard]] __device__ bool add(const row_extent& extent, index_t size) const {
    if (row_capacity == 0) return false;
    const auto pieces = static_cast<unsigned>(adaptive_rows_plan::pieces_of(size));
    const unsigned long long before =
        atomicAdd(counter.tally(), (static_cast<unsigned long long>(pieces) << 32U) + 1U);
    const unsigned at = row_count(before);
    if (at >= row_capacity) return false;
    const unsigned first = piece_count(before);
    const bool fits = first < piece_capacity && pieces <= piece_capacity - first;
    rows()[at] = {{fits ? extent.row : index_t{-1}, extent.begin, extent.end}, first, pieces, 0};
    return fits;
  }

  /// The row, of `count`, that piece `piece` belongs to.
  [[nodiscard]] __device__ unsigned row_of(unsigned piece, unsigned count) const {
    unsigned low = 0;
    for (unsigned high = count; high - low > 1;) {
      const unsigned middle = low + (high - low) / 2;
      (rows()[middle].first <= piece ? low : high) = middle;
    }
    return low;
  }
};

/// destination[row] = the seed, then `sum`, which there is.
template <typename R, typename D, typename Partial>
__device__ void store_sum(const R& r, index_t row, const D& destination, const Partial& sum) {
  using value_type = typename R::value_type;
  store(destination[row],
        static_cast<value_type>(r.op(static_cast<value_type>(r.seed), sum.value)));
}

/// Piece `number` of a row, whose pieces' sums lie from `sums` on; the block that is done with the
/// row's last piece combines them. By all threads of the block.
template <int Threads, typename E, typename D, typename Partial>
__device__ void reduce_piece(const E& e, const D& destination, bool same_rows, cut_row& row,
                             unsigned number, Partial* sums) {
  using reduction = typename E::value_type;
  using carry = segmented_carry<decltype(reduction::op), typename reduction::value_type, Threads>;
  __shared__ typename carry::memory shared;
  __shared__ bool is_last_piece;
  const int thread = static_cast<int>(threadIdx.x);
  const auto r = row_of_block(e, row.extent, same_rows);
  Partial sum =
      reduce_chunk<Threads>(r, row_chunk::of(r.source.size(), number, row.pieces), thread);
  if (thread == Threads - 1) {
    sums[number] = sum;
    __threadfence();
    is_last_piece = atomicAdd(&row.done, 1U) == row.pieces - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last_piece) return;
  const row_chunk own = row_chunk::of(row.pieces, thread, Threads);
  sum = Partial::none();
  for (index_t i = own.begin; i < own.end; ++i) sum.append(r.op, read_partial(sums[i]));
  sum = carry::over_block(shared, thread, false, sum, r.op).all;
  if (thread == Threads - 1) store_sum(r, row.extent.row, destination, sum);
  __syncthreads();
}

/// All pieces of the rows that `tally` counts, by all blocks.
template <int Threads, typename E, typename D, typename Partial>
__device__ void reduce_pieces(const E& e, const D& destination, bool same_rows,
                              const cut_row_list<Partial>& list, unsigned long long tally) {
  const unsigned rows =
      list.row_count(tally) < list.row_capacity ? list.row_count(tally) : list.row_capacity;
  const unsigned pieces =
      list.piece_count(tally) < list.piece_capacity ? list.piece_count(tally) : list.piece_capacity;
  for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    cut_row& row = list.rows()[list.row_of(piece, rows)];
    const unsigned number = piece - row.first;
    if (row.extent.row < 0 || number >= row.pieces) continue;
    reduce_piece<Threads>(e, destination, same_rows, row, number, list.sums() + row.first);
  }
}

}  // namespace fettle::ndp::cuda::detail
