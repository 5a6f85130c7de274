// flattened_reduce: map > reduce with the rows' atoms shared out equally among all threads.
//
// One kernel gives every block the same number of steps of the merge path (flattened_share.hpp) and
// writes the rows that begin and end in one block. Of a row that several blocks share, each leaves
// its part in a record, and a second kernel combines these in order. Deterministic, for any
// associative operator, without atomics; empty rows yield the seed.
#pragma once

#include <cuda_runtime.h>

#include <fettle/ndp/backend.hpp>
#include <fettle/ndp/cuda/flat_row.hpp>
#include <fettle/ndp/cuda/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened_share.hpp>
#include <fettle/ndp/cuda/launch.cuh>
#include <fettle/ndp/cuda/partial_value.hpp>
#include <fettle/ndp/cuda/policy.hpp>
#include <fettle/ndp/cuda/segmented_carry.cuh>
#include <fettle/ndp/cuda/share_records.cuh>
#include <fettle/ndp/cuda/workspace.cuh>
#include <fettle/ndp/destination.hpp>
#include <fettle/ndp/platform.hpp>
#include <fettle/ndp/policy.hpp>

namespace fettle::ndp::cuda {

namespace detail {

/// A share in one row: each thread takes every Threads-th atom, so nothing goes through shared
/// memory.
template <bool SameRows, int Threads, typename E, typename Partial>
__device__ void add_atoms_of_row(const E& e, const share_bounds& bounds, int thread, Partial& sum) {
  const row_place place{bounds.first_row, bounds.first_begin, bounds.last_end};
  const auto r = row_at<SameRows>(e, place);
#pragma unroll 4
  for (int k = thread; k < bounds.atoms; k += Threads) {
    sum.append(r.op, atom_of(r, place, bounds.first_atom + k - place.begin));
  }
}

/// Results of the rows that begin and end in the share, neighbouring threads at neighbouring rows.
template <typename Share, int Threads, typename E, typename D>
__device__ void write_rows(typename Share::memory& shared, const share_bounds& bounds, const E& e,
                           bool same_rows, const D& destination, int thread) {
  using value_type = typename E::value_type::value_type;
  for (int i = thread; i < bounds.rows; i += Threads) {
    if (i == 0 && bounds.first_row_goes_on()) continue;
    const row_place place = Share::place_of(shared, bounds, i);
    const auto r = row_of_block(e, place, same_rows);
    store_row(r, place, destination,
              partial_value<decltype(r.op), value_type>::of(shared.values()[bounds.atoms + i]));
  }
}

template <int Threads, int Steps, typename E, typename D>
__global__ __launch_bounds__(Threads) void flattened_reduce_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows, share_record<typename E::value_type::value_type>* records) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using operator_type = decltype(reduction::op);
  using share = flattened_share<value_type, Threads, Steps>;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  __shared__ typename share::memory shared;
  __shared__ typename carry::memory carry_shared;
  __shared__ share_edges edges;

  const int thread = static_cast<int>(threadIdx.x);
  const auto& shape = outer_shape(e);
  share_bounds bounds;
  if (!find_share<Threads>(shape, rows, index_t{blockIdx.x} * (Threads * Steps), Threads * Steps,
                           edges, bounds)) {
    return;
  }
  const auto op_of = [&](int row) {
    return operator_of<reduction>(
        [&] { return row_of_block(e, share::place_of(shared, bounds, row), same_rows); });
  };

  thread_steps steps;
  thread_partials<operator_type, value_type> own;
  if (is_commutative_v<operator_type> && bounds.rows == 0) {
    if (same_rows) {
      add_atoms_of_row<true, Threads>(e, bounds, thread, own.last);
    } else {
      add_atoms_of_row<false, Threads>(e, bounds, thread, own.last);
    }
  } else {
    steps = evaluate_share<share>(shared, bounds, e, same_rows, thread);
    own = share::template reduce<operator_type>(shared, bounds, steps, op_of);
  }
  const operator_type op = op_of(starting_row(bounds, steps, rows));
  const carry handed = carry::over_block(carry_shared, thread, own.ends_row, own.last, op);
  share::finish(shared, bounds, steps, own, handed.before, op);
  __syncthreads();
  write_rows<share, Threads>(shared, bounds, e, same_rows, destination, thread);
  if (thread == Threads - 1 && gridDim.x > 1) {
    const bool ends_older = bounds.rows > 0 && bounds.first_row_goes_on();
    records[blockIdx.x] = {
        ends_older ? bounds.first_row : index_t{-1}, ends_older && shared.row_end[0] > 0,
        ends_older ? shared.values()[bounds.atoms] : handed.all.value, handed.all.value};
  }
}

}  // namespace detail

/// Realises a map > reduce over rows that lie one behind the other into destination[i].
/// The policy's block_size_x and _y give the threads of a block, level 1's grain_size multiplies
/// the steps that a thread takes.
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
  const index_t rows = e.size();
  if (rows == 0) return;
  const index_t shares =
      ceiling_quotient(rows + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  const workspace<share_record<value_type>> records(on, which, shares > 1 ? shares : 0);
  launch(which, on.stream, dim3(static_cast<unsigned>(shares)), dim3(threads), 0,
         detail::flattened_reduce_kernel<threads, steps, E, D>, e, destination, rows,
         have_same_rows(e), records.data());
  if (shares > 1) {
    combine_shares(on, which, e, destination, rows, index_t{threads} * steps, shares,
                   records.data());
  }
}

}  // namespace fettle::ndp::cuda
