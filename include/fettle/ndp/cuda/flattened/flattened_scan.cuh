// flattened_scan: map > scan with the rows' atoms shared out equally among all threads.
//
// Three kernels: every block reduces what its share has of the row that goes on after it; one block
// hands these parts on from share to share, in order; every block then scans its share with the
// part that it was handed. Atoms are evaluated twice, which costs less than a scan that waits for
// its neighbour, where rows are short, and needs no atomics. A share's atoms are all read before
// its results are written, so a scan may overwrite its source.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/flattened_share.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

/// What a share has of the row that goes on after it; later what comes before the share in its
/// first row.
template <typename Op, typename T>
struct share_tail {
  partial_value<Op, T> value;
  bool ends_row;
};

namespace detail {

/// Element `offset` of row `place` of the destination.
template <typename D, typename T>
__device__ void store_atom(const D& destination, const row_place& place, index_t offset,
                           const T& value) {
  if constexpr (nested<D>) {
    auto row = destination[place.row];
    check_index("execute: row of the destination", offset, row.size());
    store(row[offset], value);
  } else {
    store(destination[place.begin + offset], value);
  }
}

/// Results of the share, neighbouring threads at neighbouring atoms. Rows whose scan is over
/// another length are scanned one by one where they end.
template <typename Share, int Threads, typename E, typename D>
__device__ void write_scan(typename Share::memory& shared, const share_bounds& bounds, const E& e,
                           bool same_rows, const D& destination, int thread) {
  using value_type = typename E::value_type::value_type;
  for (int k = thread; k < bounds.atoms; k += Threads) {
    const int step = shared.step_of(k);
    const row_place place = Share::place_of(shared, bounds, step - k);
    const auto r = row_of_block(e, place, same_rows);
    if (!covers_row(r, place)) continue;
    const index_t offset = bounds.first_atom + k - place.begin;
    const auto seed = static_cast<value_type>(r.seed);
    store_atom(destination, place, offset,
               offset == 0 ? seed : static_cast<value_type>(r.op(seed, shared.values()[step])));
  }
  for (int i = thread; i < bounds.rows; i += Threads) {
    const row_place place = Share::place_of(shared, bounds, i);
    const auto r = row_of_block(e, place, same_rows);
    if (covers_row(r, place)) continue;
    r.for_each_serial([&](index_t offset, const value_type& value) {
      store_atom(destination, place, offset, value);
    });
  }
}

// Without Write, what the shares have of rows that go on is left in `tails`; with it, what comes
// before the shares is taken from there.
template <bool Write, int Threads, int Steps, typename E, typename D>
__global__ __launch_bounds__(Threads, 1) void flattened_scan_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows,
    share_tail<decltype(E::value_type::op), typename E::value_type::value_type>* tails) {
  using scanned = typename E::value_type;
  using value_type = typename scanned::value_type;
  using operator_type = decltype(scanned::op);
  using share = flattened_share<value_type, Threads, Steps>;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  __shared__ typename share::memory shared;
  __shared__ typename carry::memory carry_shared;
  __shared__ share_edge edges[2];

  const int thread = static_cast<int>(threadIdx.x);
  share_bounds bounds;
  if (!find_share<Threads>(outer_shape(e), rows, index_t{blockIdx.x} * (Threads * Steps),
                           Threads * Steps, edges, bounds)) {
    if constexpr (!Write) {
      if (thread == 0) tails[blockIdx.x] = {partial_value<operator_type, value_type>::none(), true};
    }
    return;
  }
  const auto op_of = [&](int row) {
    return operator_of<scanned>(
        [&] { return row_of_block(e, share::place_of(shared, bounds, row), same_rows); });
  };
  const thread_steps steps = evaluate_share<share>(shared, bounds, e, same_rows, thread);
  const auto own = share::template reduce<operator_type>(shared, steps, thread, op_of);
  const operator_type op = op_of(starting_row(bounds, steps, rows));
  carry handed = carry::over_block(carry_shared, thread, own.ends_row, own.last, op);
  if constexpr (Write) {
    if (steps.row == 0) {
      handed.before = joined(op, read_partial(tails[blockIdx.x].value), handed.before);
    }
    share::scan(shared, steps, thread, handed.before, op_of);
    __syncthreads();
    write_scan<share, Threads>(shared, bounds, e, same_rows, destination, thread);
  } else if (thread == Threads - 1) {
    tails[blockIdx.x] = {handed.all, bounds.rows > 0};
  }
}

/// One block: hands the parts on from share to share, joined by the operator of the row in which a
/// share starts.
template <int Threads, typename Op, typename T, typename E>
__global__ __launch_bounds__(Threads) void hand_on_tails_kernel(const __grid_constant__ E e,
                                                                index_t rows, index_t share_steps,
                                                                index_t shares,
                                                                share_tail<Op, T>* tails) {
  using scanned = typename E::value_type;
  using carry = segmented_carry<Op, T, Threads>;
  using partial = partial_value<Op, T>;
  __shared__ typename carry::memory shared;
  __shared__ alignas(partial) unsigned char last_bytes[sizeof(partial)];
  auto& last = *reinterpret_cast<partial*>(last_bytes);

  const int thread = static_cast<int>(threadIdx.x);
  const auto& shape = outer_shape(e);
  const index_t base = shape.row_begin(0);
  const index_t atoms = shape.row_begin(rows) - base;
  if (thread == 0) last = partial::none();
  __syncthreads();  // the compiler reads `last` at all threads
  for (index_t first = 0; first < shares; first += Threads) {
    const index_t share = first + thread;
    share_tail<Op, T> own{partial::none(), false};
    if (share < shares) own = {read_partial(tails[share].value), tails[share].ends_row};
    const Op op = operator_of<scanned>([&] {
      const index_t wanted = share * share_steps;
      const index_t step = wanted < rows + atoms ? wanted : rows + atoms;
      const index_t row =
          find_on_path<index_t>(row_ends_of<std::remove_cvref_t<decltype(shape)>>{shape, base},
                                rows, atoms, step)
              .row;
      return e[row < rows ? row : rows - 1];
    });
    // The first thread's share is joined to what the round before left.
    partial before_first = partial::none();
    if (thread == 0) before_first = last;
    if (thread == 0 && !own.ends_row) own.value = joined(op, before_first, own.value);
    const carry handed = carry::over_block(shared, thread, own.ends_row, own.value, op);
    if (share < shares) tails[share].value = thread == 0 ? before_first : handed.before;
    __syncthreads();
    if (thread == Threads - 1) last = handed.all;
    __syncthreads();
  }
}

}  // namespace detail

/// Realises a map > scan over rows that lie one behind the other into a nested destination, or into
/// a flat one at the rows' own places. The policy's parameters are those of flattened_reduce.
template <has_flat_rows E, random_access D, constant_policy Policy>
void flattened_scan(const platform::cuda& on, const computation& which, const E& e,
                    const D& destination, Policy /*policy*/) {
  using scanned = typename E::value_type;
  using value_type = typename scanned::value_type;
  using operator_type = decltype(scanned::op);
  static_assert(
      is_combinable_v<scanned>,
      "execute: scan at level 2 cannot be flattened: its operator has to take two of its "
      "results, of a type that is trivially copyable; use schedule independent>sequential");
  constexpr int threads = Policy::value.block_size_x * Policy::value.block_size_y;
  constexpr int steps =
      steps_per_thread(threads, Policy::value.level[0].grain_size, sizeof(value_type));
  constexpr int hand_on_threads = sizeof(value_type) <= 16 ? 512 : 128;
  const index_t rows = e.size();
  if (rows == 0) return;
  const index_t shares =
      ceiling_quotient(rows + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  const workspace<share_tail<operator_type, value_type>> tails(on, which, shares);
  const dim3 grid(static_cast<unsigned>(shares));
  const bool same_rows = have_same_rows(e);
  launch(which, on.stream, grid, dim3(threads), 0,
         detail::flattened_scan_kernel<false, threads, steps, E, D>, e, destination, rows,
         same_rows, tails.data());
  launch(which, on.stream, dim3(1), dim3(hand_on_threads), 0,
         detail::hand_on_tails_kernel<hand_on_threads, operator_type, value_type, E>, e, rows,
         index_t{threads} * steps, shares, tails.data());
  launch(which, on.stream, grid, dim3(threads), 0,
         detail::flattened_scan_kernel<true, threads, steps, E, D>, e, destination, rows, same_rows,
         tails.data());
}

}  // namespace fettle::ndp::cuda
