// row_queue: very long rows of one kernel. A block that meets such a row cuts it in pieces and
// enters it here; the last blocks of the grid, when they are done with their own rows, wait until
// all blocks have looked at theirs, and take the pieces. So one launch is right for rows that are
// all alike, at the cost of an atomic a block that nothing waits for, and for those among which few
// are giant, wherever they are. Blocks wait for blocks of lower numbers only; those have started
// before, so all get done.
//
// A counter of 64 bits holds how many blocks have looked, how many helpers have come, and how many
// rows and pieces there are. Where there are no rows, the last helper sets it to zero.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/row_pieces.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int queue_rows = 768;

/// A row that is cut.
struct queued_row {
  cut_row row;
  unsigned next;  // piece
};

static_assert(sizeof(queued_row) * queue_rows <= stream_queue_bytes);

template <typename Partial>
struct row_queue {
  arrivals counter{};
  unsigned piece_capacity = 0;
  unsigned helpers = 0;  // blocks at the end of the grid; none: no row is cut

  static constexpr unsigned long long one_block = 1;
  static constexpr unsigned long long one_helper = 1ULL << 20U;
  static constexpr unsigned long long one_row = 1ULL << 32U;
  static constexpr unsigned long long one_piece = 1ULL << 44U;

  [[nodiscard]] static __device__ unsigned blocks(unsigned long long tally) {
    return static_cast<unsigned>(tally) & 0xFFFFFU;
  }
  [[nodiscard]] static __device__ unsigned helpers_there(unsigned long long tally) {
    return static_cast<unsigned>(tally) >> 20U;
  }
  [[nodiscard]] static __device__ unsigned rows(unsigned long long tally) {
    return static_cast<unsigned>(tally >> 32U) & 0xFFFU;
  }
  [[nodiscard]] static __device__ unsigned pieces(unsigned long long tally) {
    return static_cast<unsigned>(tally >> 44U);
  }

  /// By one thread: a row of `size` atoms. False where there is no room for it.
  [[nodiscard]] __device__ bool add(const row_extent& extent, index_t size) const {
    const auto count = static_cast<unsigned>(adaptive_rows_plan::pieces_of(size));
    const unsigned long long before = atomicAdd(counter.tally(), one_row + count * one_piece);
    const unsigned at = rows(before);
    if (at >= queue_rows) return false;
    const unsigned first = pieces(before);
    const bool fits = first < piece_capacity && count <= piece_capacity - first;
    queued_row& to = queue()[at];
    to.row = {{fits ? extent.row : index_t{-1}, extent.begin, extent.end}, first, count, 0};
    return fits;
  }

  /// By one thread, when its block has entered what it has to, if anything.
  __device__ void look_done(bool may_have_entered) const {
    if (may_have_entered) __threadfence();
    atomicAdd(counter.tally(), one_block);
  }

  /// By all threads of a block that is done with its rows: the last ones stay and take pieces.
  template <int Threads, typename E, typename D>
  __device__ void help(const E& e, const D& destination, bool same_rows) const {
    if (blockIdx.x + helpers < gridDim.x) return;
    __shared__ unsigned shared;
    if (threadIdx.x == 0) shared = rows_when_all_have_looked();
    __syncthreads();
    const unsigned count = shared;
    if (count == 0) return;
    reduce_pieces<Threads>(e, destination, same_rows, count);
    if (threadIdx.x == 0) leave(count);
  }

 private:
  [[nodiscard]] __device__ unsigned helpers_of_grid() const {
    return helpers < gridDim.x ? helpers : gridDim.x;
  }

  /// By one thread of a helper.
  [[nodiscard]] __device__ unsigned rows_when_all_have_looked() const {
    unsigned long long tally = atomicAdd(counter.tally(), one_helper) + one_helper;
    const bool is_last = helpers_there(tally) == helpers_of_grid();
    while (blocks(tally) < gridDim.x) {
      __nanosleep(50);
      tally = read_posted(counter.tally());
      if (helpers_there(tally) == 0) return 0;  // set to zero by the last helper
    }
    if (rows(tally) == 0) {
      if (is_last) *counter.tally() = 0;
      return 0;
    }
    __threadfence();
    return rows(tally);
  }

  [[nodiscard]] __device__ queued_row* queue() const {
    return reinterpret_cast<queued_row*>(counter.queue());
  }
  [[nodiscard]] __device__ Partial* sums() const { return counter.template room<Partial>(); }

  template <int Threads, typename E, typename D>
  __device__ void reduce_pieces(const E& e, const D& destination, bool same_rows,
                                unsigned count) const {
    __shared__ unsigned taken;
    queued_row* const all = queue();
    for (unsigned i = 0; i < count; ++i) {
      cut_row& row = all[i].row;
      while (row.extent.row >= 0) {
        if (threadIdx.x == 0) taken = atomicAdd(&all[i].next, 1U);
        __syncthreads();
        const unsigned number = taken;
        __syncthreads();
        if (number >= row.pieces) break;
        reduce_piece<Threads>(e, destination, same_rows, row, number, sums() + row.first);
      }
    }
  }

  /// The last helper sets everything to zero: others read from the queue whether something is there
  /// (tile_posts.cuh).
  __device__ void leave(unsigned count) const {
    if (!counter.is_last(helpers_of_grid())) return;
    queued_row* const all = queue();
    for (unsigned i = 0; i < count; ++i) all[i] = queued_row{};
    *counter.tally() = 0;
  }
};

}  // namespace fettle::ndp::cuda::detail
