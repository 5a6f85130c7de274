// flattened_scan: map > scan with the rows' atoms in tiles of equal size.
//
// Three kernels: every block reduces the carry of its tile; one block
// passes the carries on from tile to tile, in order; every block then scans its tile with the
// carry that it received. Atoms are evaluated twice, which costs less than a scan that waits for
// its neighbour, where rows are short, and needs no atomics. A tile's atoms are all read before
// its results are written, so a scan may overwrite its source.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What a tile has of the row that goes on after it; later what comes before the tile in its
/// first row.
template <typename Op, typename T>
struct tile_tail {
  partial_value<Op, T> value;
  bool ends_row;
};

/// Element `offset` of row `extent` of the destination.
template <typename D, typename T>
__device__ void store_atom(const D& destination, const row_extent& extent, index_t offset,
                           const T& value) {
  if constexpr (nested<D>) {
    auto row = destination[extent.row];
    check_index("execute: row of the destination", offset, row.size());
    store(row[offset], value);
  } else {
    store(destination[extent.begin + offset], value);
  }
}

/// Results of the tile, neighbouring threads at neighbouring atoms. Rows whose scan is over
/// another length are scanned one by one where they end.
template <typename Tile, int Threads, typename E, typename D>
__device__ void write_scan(typename Tile::memory& shared, const tile_bounds& bounds, const E& e,
                           bool same_rows, const D& destination, int thread) {
  using value_type = typename E::value_type::value_type;
  for (int k = thread; k < bounds.atoms; k += Threads) {
    const int step = shared.step_of(k);
    const row_extent extent = Tile::extent_of(shared, bounds, step - k);
    const auto r = row_of_block(e, extent, same_rows);
    if (!covers_row(r, extent)) continue;
    const index_t offset = bounds.first_atom + k - extent.begin;
    const auto seed = static_cast<value_type>(r.seed);
    const bool has_sum = E::value_type::is_inclusive || offset > 0;
    store_atom(destination, extent, offset,
               !has_sum ? seed : static_cast<value_type>(r.op(seed, shared.values()[step])));
  }
  for (int i = thread; i < bounds.rows; i += Threads) {
    const row_extent extent = Tile::extent_of(shared, bounds, i);
    const auto r = row_of_block(e, extent, same_rows);
    if (covers_row(r, extent)) continue;
    r.for_each_serial([&](index_t offset, const value_type& value) {
      store_atom(destination, extent, offset, value);
    });
  }
}

// Without Write, what the tiles have of rows that go on is left in `tails`; with it, what comes
// before the tiles is taken from there.
template <bool Write, int Threads, int Steps, typename E, typename D>
__global__ __launch_bounds__(Threads, 1) void flattened_scan_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows,
    tile_tail<decltype(E::value_type::op), typename E::value_type::value_type>* tails) {
  using scanned = typename E::value_type;
  using value_type = typename scanned::value_type;
  using operator_type = decltype(scanned::op);
  using tile = flattened_tile<value_type, Threads, Steps>;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  __shared__ typename tile::memory shared;
  __shared__ typename carry::memory carry_shared;
  __shared__ tile_edge edges[2];

  const int thread = static_cast<int>(threadIdx.x);
  tile_bounds bounds;
  if (!find_tile<Threads>(outer_shape(e), rows, index_t{blockIdx.x} * (Threads * Steps),
                          Threads * Steps, edges, bounds)) {
    if constexpr (!Write) {
      if (thread == 0) tails[blockIdx.x] = {partial_value<operator_type, value_type>::none(), true};
    }
    return;
  }
  const auto op_of = [&](int row) {
    return operator_of<scanned>(
        [&] { return row_of_block(e, tile::extent_of(shared, bounds, row), same_rows); });
  };
  const thread_steps steps = evaluate_tile<tile>(shared, bounds, e, same_rows, thread);
  const auto own = tile::template reduce<operator_type>(shared, steps, thread, op_of);
  const operator_type op = op_of(starting_row(bounds, steps, rows));
  carry handed = carry::over_block(carry_shared, thread, own.ends_row, own.last, op);
  if constexpr (Write) {
    if (steps.row == 0) {
      handed.before = joined(op, read_partial(tails[blockIdx.x].value), handed.before);
    }
    tile::template scan<scanned::is_inclusive>(shared, steps, thread, handed.before, op_of);
    __syncthreads();
    write_scan<tile, Threads>(shared, bounds, e, same_rows, destination, thread);
  } else if (thread == Threads - 1) {
    tails[blockIdx.x] = {handed.all, bounds.rows > 0};
  }
}

/// One block: passes the carries on from tile to tile, joined by the operator of the row in which a
/// tile starts.
template <int Threads, typename Op, typename T, typename E>
__global__ __launch_bounds__(Threads) void pass_on_tails_kernel(const __grid_constant__ E e,
                                                                index_t rows, index_t tile_steps,
                                                                index_t tiles,
                                                                tile_tail<Op, T>* tails) {
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
  for (index_t first = 0; first < tiles; first += Threads) {
    const index_t tile = first + thread;
    tile_tail<Op, T> own{partial::none(), false};
    if (tile < tiles) own = {read_partial(tails[tile].value), tails[tile].ends_row};
    const Op op = operator_of<scanned>([&] {
      const index_t wanted = tile * tile_steps;
      const index_t step = wanted < rows + atoms ? wanted : rows + atoms;
      const index_t row =
          find_on_path<index_t>(row_ends_of<std::remove_cvref_t<decltype(shape)>>{shape, base},
                                rows, atoms, step)
              .row;
      return e[row < rows ? row : rows - 1];
    });
    // The first thread's tile is joined to what the round before left.
    partial before_first = partial::none();
    if (thread == 0) before_first = last;
    if (thread == 0 && !own.ends_row) own.value = joined(op, before_first, own.value);
    const carry handed = carry::over_block(shared, thread, own.ends_row, own.value, op);
    if (tile < tiles) tails[tile].value = thread == 0 ? before_first : handed.before;
    __syncthreads();
    if (thread == Threads - 1) last = handed.all;
    __syncthreads();
  }
}

/// Realises a map > scan over contiguous rows into a nested destination, or into a flat one at the
/// rows' own extents. The policy's parameters are those of flattened_reduce.
template <has_flat_rows E, random_access D, constant_policy Policy>
void flattened_scan(const platform::cuda& on, const computation& named, const E& e,
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
  constexpr int pass_on_threads = sizeof(value_type) <= 16 ? 512 : 128;
  const index_t rows = e.size();
  if (rows == 0) return;
  const index_t tiles =
      ceiling_quotient(rows + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  const workspace<tile_tail<operator_type, value_type>> tails(on, named, tiles);
  const dim3 grid(static_cast<unsigned>(tiles));
  const bool same_rows = have_same_rows(e);
  launch(named, on.stream, grid, dim3(threads), 0,
         flattened_scan_kernel<false, threads, steps, E, D>, e, destination, rows, same_rows,
         tails.data());
  launch(named, on.stream, dim3(1), dim3(pass_on_threads), 0,
         pass_on_tails_kernel<pass_on_threads, operator_type, value_type, E>, e, rows,
         index_t{threads} * steps, tiles, tails.data());
  launch(named, on.stream, grid, dim3(threads), 0,
         flattened_scan_kernel<true, threads, steps, E, D>, e, destination, rows, same_rows,
         tails.data());
}

}  // namespace fettle::ndp::cuda::detail
