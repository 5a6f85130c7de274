// What blocks leave of rows that several of them share, and how the block that is done last
// combines it.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_share.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

/// What a block has of the first row that ends in its share, where that row began in an earlier
/// one, and of the row that goes on after its share.
template <typename T>
struct share_record {
  index_t row;      // that ends here and began earlier; -1: there is none
  bool head_there;  // some of its atoms are in this share
  T head;
  T tail;
};

/// destination[row] = the seed, then the sum of the row's atoms.
template <typename R, typename D, typename Partial>
__device__ void store_row(const R& r, const row_place& place, const D& destination,
                          const Partial& sum) {
  using value_type = typename R::value_type;
  if (!covers_row(r, place)) {
    store(destination[place.row], r.evaluate());
  } else if (place.size() == 0) {
    store(destination[place.row], static_cast<value_type>(r.seed));
  } else {
    store(destination[place.row],
          static_cast<value_type>(r.op(static_cast<value_type>(r.seed), sum.value)));
  }
}

namespace detail {

/// The parts of a row in shares [first, last), in order; then the next such range.
template <typename Partial, typename Op, typename T>
__device__ void add_tails(Partial& sum, const Op& op, const share_record<T>* records, index_t first,
                          index_t last) {
#pragma unroll 4
  for (index_t i = first; i < last; ++i) sum.append(op, records[i].tail);
}

/// What the threads of a block need in shared memory to combine records.
template <int Threads, typename Partial>
struct combine_memory {
  alignas(Partial) unsigned char part_bytes[std::size_t{Threads} * sizeof(Partial)];
  unsigned long_rows[std::size_t{Threads} / 32];

  [[nodiscard]] __device__ Partial* parts() { return reinterpret_cast<Partial*>(part_bytes); }
};

/// By all threads of a block, for Threads shares from `first_share` on: a thread for each share
/// that ends a row which began in an earlier one; where the row goes over many shares, the block
/// for it.
template <int Threads, typename E, typename D, typename Partial, typename T>
__device__ void combine_records(const E& e, const D& destination, index_t rows, index_t share_steps,
                                index_t first_share, const share_record<T>* records,
                                combine_memory<Threads, Partial>& shared) {
  static_assert((Threads & (Threads - 1)) == 0, "halves are combined with halves");
  constexpr index_t few = 32;
  const int thread = static_cast<int>(threadIdx.x);
  const auto& shape = outer_shape(e);
  const index_t base = shape.row_begin(0);
  const index_t shares = ceiling_quotient(rows + shape.row_begin(rows) - base, share_steps);
  const auto place_of = [&](index_t row) {
    return row_place{row, shape.row_begin(row), shape.row_begin(row + 1)};
  };
  const auto share_of = [&](const row_place& place) {
    return first_step_of(place.row, place.begin - base) / share_steps;
  };

  const index_t share = first_share + thread;
  const index_t row = share < shares ? records[share].row : index_t{-1};
  bool is_long = false;
  if (row >= 0) {
    const row_place place = place_of(row);
    const index_t first = share_of(place);
    is_long = share - first > few;
    if (!is_long) {
      const auto r = row_at<false>(e, place);
      Partial sum = Partial::none();
      add_tails(sum, r.op, records, first, share);
      if (records[share].head_there) sum.append(r.op, records[share].head);
      store_row(r, place, destination, sum);
    }
  }
  const unsigned long_lanes = __ballot_sync(0xFFFFFFFFU, is_long);
  if (thread % 32 == 0) shared.long_rows[thread / 32] = long_lanes;
  __syncthreads();
  for (int warp = 0; warp < Threads / 32; ++warp) {
    for (unsigned lanes = shared.long_rows[warp]; lanes != 0; lanes &= lanes - 1) {
      const index_t last = first_share + warp * 32 + __ffs(static_cast<int>(lanes)) - 1;
      const row_place place = place_of(records[last].row);
      const index_t first = share_of(place);
      const auto r = row_at<false>(e, place);
      Partial sum = Partial::none();
      add_tails(sum, r.op, records, first + (last - first) * thread / Threads,
                first + (last - first) * (thread + 1) / Threads);
      shared.parts()[thread] = sum;
      for (int distance = 1; distance < Threads; distance *= 2) {
        __syncthreads();
        if (thread % (2 * distance) == 0) {
          shared.parts()[thread] =
              joined(r.op, shared.parts()[thread], shared.parts()[thread + distance]);
        }
      }
      if (thread == 0) {
        sum = shared.parts()[0];
        if (records[last].head_there) sum.append(r.op, records[last].head);
        store_row(r, place, destination, sum);
      }
      __syncthreads();
    }
  }
  __syncthreads();  // before the next shares' rows are noted
}

}  // namespace detail

}  // namespace fettle::ndp::cuda
