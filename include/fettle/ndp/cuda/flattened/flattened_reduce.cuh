// flattened_reduce: map > reduce with the rows' atoms shared out equally among all threads.
//
// Every block takes the same number of steps of the merge path (flattened_share.hpp) and writes the
// rows that begin and end in its share. Of a row that several blocks share, each leaves its part;
// these are combined in order. Few shares are one launch: blocks find their shares, and the one
// that is done last combines the parts. Many are two, so that no block waits for a search: one
// kernel finds the shares, and the block in whose share a row ends takes the parts that earlier
// blocks post (posted_parts.hpp). Deterministic, for any associative operator; empty rows yield the
// seed.
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/flattened_share.hpp>
#include <fettle/ndp/cuda/flattened/posted_parts.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/flattened/share_records.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

namespace detail {

/// A share of few rows: the block reduces them one after the other, without evaluating atoms into
/// shared memory first. Returns what it has of the row that goes on; right at thread 0.
template <typename Share, typename Resource, typename Partial, typename E>
[[nodiscard]] __device__ Partial reduce_few_rows(typename Share::memory& shared,
                                                 const share_bounds& bounds, const E& e,
                                                 bool same_rows, int thread) {
  using operator_type = decltype(E::value_type::op);
  using value_type = typename E::value_type::value_type;
  Share::template place_row_ends<false>(shared, bounds, outer_shape(e), thread);
  __syncthreads();
  Partial last = Partial::none();
  for (int i = 0; i <= bounds.rows; ++i) {
    const int begin = i == 0 ? 0 : shared.row_end(bounds, i - 1);
    const int end = i == bounds.rows ? bounds.atoms : shared.row_end(bounds, i);
    last = Partial::none();
    if (begin < end) {
      const row_place place = Share::place_of(shared, bounds, i);
      const auto r = row_of_block(e, place, same_rows);
      if (covers_row(r, place)) {
        const index_t before = bounds.first_atom - place.begin;
        last = fold<Resource, false, operator_type, value_type>(r.op, r.source, before + begin,
                                                                before + end);
      }
    }
    if (thread == 0 && i < bounds.rows) shared.result(bounds, i) = last.value;
  }
  return last;
}

/// Results of the rows that begin and end in the share, neighbouring threads at neighbouring rows.
template <typename Share, int Threads, bool SameRows, typename E, typename D>
__device__ void write_rows(typename Share::memory& shared, const share_bounds& bounds, const E& e,
                           const D& destination, int thread) {
  using value_type = typename E::value_type::value_type;
  for (int i = thread; i < bounds.rows; i += Threads) {
    if (i == 0 && bounds.first_row_goes_on()) continue;
    const row_place place = Share::place_of(shared, bounds, i);
    const auto r = row_at<SameRows>(e, place);
    store_row(r, place, destination,
              partial_value<decltype(r.op), value_type>::of(shared.result(bounds, i)));
  }
}

/// The row that ends first in the share and began in an earlier one: what earlier blocks post of
/// it, in order, then what this block has. By all threads of the block.
template <typename Share, int Threads, typename Carry, typename E, typename D, typename T>
__device__ void finish_older_row(typename Share::memory& shared,
                                 typename Carry::memory& carry_shared, const share_bounds& bounds,
                                 index_t share_steps, const E& e, bool same_rows,
                                 const D& destination, const posted_parts<T>& parts, int thread) {
  using partial = typename Carry::partial;
  constexpr index_t few = 4;
  const index_t here = blockIdx.x;
  const index_t first = first_share_of_row(bounds, here, share_steps);
  const bool alone = here - first <= few;
  if (alone && thread != Threads - 1) return;
  const row_place place = Share::place_of(shared, bounds, 0);
  const auto r = row_of_block(e, place, same_rows);
  partial sum = partial::none();
  if (alone) {
    for (index_t share = first; share < here; ++share) sum.append(r.op, parts.take(share));
  } else {
    const index_t begin = first + (here - first) * thread / Threads;
    const index_t end = first + (here - first) * (thread + 1) / Threads;
    for (index_t share = begin; share < end; ++share) sum.append(r.op, parts.take(share));
    sum = Carry::over_block(carry_shared, thread, false, sum, r.op).all;
  }
  if (thread == Threads - 1) {
    if (shared.row_end(bounds, 0) > 0) sum.append(r.op, shared.result(bounds, 0));
    store_row(r, place, destination, sum);
  }
}

/// All of a share. With CombineHere, the thread whose number is returned has left the block's
/// record for the rows that others have parts of; without, they are done.
template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
[[nodiscard]] __device__ int reduce_share(
    const E& e, const D& destination, index_t rows, bool same_rows,
    typename flattened_share<typename E::value_type::value_type, Threads, Steps>::memory& shared,
    const share_bounds& bounds, share_record<typename E::value_type::value_type>* records,
    posted_parts<typename E::value_type::value_type> parts) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using operator_type = decltype(reduction::op);
  using partial = partial_value<operator_type, value_type>;
  using share = flattened_share<value_type, Threads, Steps>;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  // In order, threads would read memory at a distance from each other.
  constexpr int few_rows = is_commutative_v<operator_type> ? 3 : -1;

  __shared__ typename carry::memory carry_shared;
  const int thread = static_cast<int>(threadIdx.x);
  partial goes_on = partial::none();
  int recorder = 0;
  if (bounds.rows <= few_rows) {
    if constexpr (few_rows >= 0) {
      goes_on = reduce_few_rows<share, block_resource<Threads, 1, Algorithm>, partial>(
          shared, bounds, e, same_rows, thread);
    }
  } else {
    const auto op_of = [&](int row) {
      return operator_of<reduction>(
          [&] { return row_of_block(e, share::place_of(shared, bounds, row), same_rows); });
    };
    const thread_steps steps = evaluate_share<share>(shared, bounds, e, same_rows, thread);
    const auto own = share::template reduce<operator_type>(shared, steps, thread, op_of);
    const operator_type op = op_of(starting_row(bounds, steps, rows));
    const carry handed = carry::over_block(carry_shared, thread, own.ends_row, own.last, op);
    share::finish(shared, steps, thread, own, handed.before, op);
    goes_on = handed.all;
    recorder = Threads - 1;
  }
  if constexpr (!CombineHere) {
    if (thread == recorder) parts.post(blockIdx.x, goes_on.value);
  }
  __syncthreads();
  if (same_rows) {
    write_rows<share, Threads, true>(shared, bounds, e, destination, thread);
  } else {
    write_rows<share, Threads, false>(shared, bounds, e, destination, thread);
  }
  const bool ends_older = bounds.rows > 0 && bounds.first_row_goes_on();
  if constexpr (!CombineHere) {
    if (ends_older) {
      finish_older_row<share, Threads, carry>(shared, carry_shared, bounds,
                                              index_t{Threads} * Steps, e, same_rows, destination,
                                              parts, thread);
    }
  } else if (thread == recorder && gridDim.x > 1) {
    records[blockIdx.x] = {ends_older ? bounds.first_row : index_t{-1},
                           ends_older && shared.row_end(bounds, 0) > 0,
                           ends_older ? shared.result(bounds, 0) : goes_on.value, goes_on.value};
  }
  return recorder;
}

/// Blocks that a multiprocessor shall have at least, so that some wait for memory while others
/// work.
[[nodiscard]] constexpr int blocks_together(int threads) {
  if constexpr (checked) return 1;  // checks take registers
  const int blocks = 1280 / threads;
  return blocks < 1 ? 1 : blocks > 16 ? 16 : blocks;
}

// With CombineHere, blocks search for their shares, and the block that is done last combines what
// several blocks have parts of; without, the kernel before has searched, and blocks wait for parts.
template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
__global__ __launch_bounds__(Threads, blocks_together(Threads)) void flattened_reduce_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows, const share_edge* edges,
    share_record<typename E::value_type::value_type>* records,
    posted_parts<typename E::value_type::value_type> parts, arrivals counter) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using partial = partial_value<decltype(reduction::op), value_type>;
  constexpr index_t share_steps = index_t{Threads} * Steps;
  union memory {
    typename flattened_share<value_type, Threads, Steps>::memory share;
    combine_memory<CombineHere ? Threads : 32, partial> combine;
  };
  __shared__ memory shared;

  const int thread = static_cast<int>(threadIdx.x);
  share_bounds bounds;
  int recorder = 0;
  bool has_share = false;
  if constexpr (CombineHere) {
    __shared__ share_edge own_edges[2];
    has_share = find_share<Threads>(outer_shape(e), rows, index_t{blockIdx.x} * share_steps,
                                    static_cast<int>(share_steps), own_edges, bounds);
  } else {
    wait_for_kernel_before();
    const share_edge begin = edges[blockIdx.x];
    bounds = bounds_between(begin, edges[blockIdx.x + 1]);
    has_share = begin.row < rows;
  }
  if (has_share) {
    recorder = reduce_share<Threads, Steps, CombineHere, Algorithm>(
        e, destination, rows, same_rows, shared.share, bounds, records, parts);
  }
  if constexpr (CombineHere) {
    __shared__ bool is_last;
    if (gridDim.x == 1) return;
    if (thread == recorder) is_last = counter.is_last(gridDim.x);
    __syncthreads();
    if (!is_last) return;
    for (index_t first = 0; first < gridDim.x; first += Threads) {
      combine_records<Threads>(e, destination, rows, share_steps, first, records, shared.combine);
    }
  }
}

template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
void launch_flattened_reduce(const platform::cuda& on, const computation& which, const E& e,
                             const D& destination, index_t shares) {
  using value_type = typename E::value_type::value_type;
  constexpr index_t share_steps = index_t{Threads} * Steps;
  constexpr auto kernel = flattened_reduce_kernel<Threads, Steps, CombineHere, Algorithm, E, D>;
  const index_t rows = e.size();
  const dim3 grid(static_cast<unsigned>(shares));
  if constexpr (CombineHere) {
    const workspace<share_record<value_type>> records(on, which, shares > 1 ? shares : 0);
    std::optional<arrival_counter> counter;
    if (shares > 1) counter.emplace(on, which);
    launch(which, on.stream, grid, dim3(Threads), 0, kernel, e, destination, rows,
           have_same_rows(e), nullptr, records.data(), posted_parts<value_type>{},
           counter ? counter->get() : arrivals{});
  } else {
    constexpr int search_threads = 128;
    const workspace<share_edge> edges(on, which, shares + 1);
    const workspace<typename posted_parts<value_type>::word> words(
        on, which, posted_parts<value_type>::words_for(shares));
    const posted_parts<value_type> parts{words.data()};
    launch(which, on.stream,
           dim3(static_cast<unsigned>(ceiling_quotient(shares + 1, index_t{search_threads / 32}))),
           dim3(search_threads), 0, find_edges_kernel<search_threads, E, value_type>, e, rows,
           share_steps, shares + 1, edges.data(), parts);
    launch_early(which, on.stream, grid, dim3(Threads), kernel, e, destination, rows,
                 have_same_rows(e), edges.data(), nullptr, parts, arrivals{});
  }
}

}  // namespace detail

/// combine_records() combines halves with halves, and takes a round of loads for each `Threads` of
/// the shares: two rounds by one block take less time than another launch.
template <int Threads>
inline constexpr bool can_combine_here_v = (Threads & (Threads - 1)) == 0;
[[nodiscard]] constexpr index_t most_shares_combined_here(int threads) {
  return index_t{2} * threads;
}

/// Realises a map > reduce over rows that lie one behind the other into destination[i].
/// The policy's block_size_x and _y give the threads of a block, level 1's grain_size multiplies
/// the steps that a thread takes, and its block_reduce_algo is used where a share has few rows.
template <has_flat_rows E, random_access D, constant_policy Policy>
void flattened_reduce(const platform::cuda& on, const computation& which, const E& e,
                      const D& destination, Policy /*policy*/) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  static_assert(
      is_combinable_v<reduction>,
      "execute: reduce at level 2 cannot be flattened: its operator has to take two of its "
      "results, of a type that is trivially copyable; use schedule independent>sequential");
  constexpr int threads = Policy::value.block_size_x * Policy::value.block_size_y;
  constexpr int steps =
      steps_per_thread(threads, Policy::value.level[0].grain_size, sizeof(value_type));
  constexpr auto algorithm = Policy::value.level[0].block_reduce_algo;
  if (e.size() == 0) return;
  const index_t shares =
      ceiling_quotient(e.size() + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  if constexpr (can_combine_here_v<threads>) {
    if (shares <= most_shares_combined_here(threads)) {
      detail::launch_flattened_reduce<threads, steps, true, algorithm>(on, which, e, destination,
                                                                       shares);
      return;
    }
  }
  detail::launch_flattened_reduce<threads, steps, false, algorithm>(on, which, e, destination,
                                                                    shares);
}

}  // namespace fettle::ndp::cuda
