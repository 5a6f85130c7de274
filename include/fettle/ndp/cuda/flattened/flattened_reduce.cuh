// flattened_reduce: map > reduce with the rows' atoms in tiles of equal size.
//
// Every block takes the same number of steps of the merge path (flattened_tile.hpp) and writes the
// rows that begin and end in its tile. Of a row that tile boundaries cut, each block leaves a
// carry; carries are combined in order. Few tiles are one launch: blocks find their tiles, and the
// one that is done last combines the carries. Many are two, so that no block waits for a search:
// one kernel finds the tiles, and the block in whose tile a row ends takes the carries that earlier
// blocks post (posted_carries.hpp). Deterministic, for any associative operator; empty rows yield
// the seed.
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/flattened_reduce_kernel.cuh>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/flattened/tile_records.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
void launch_flattened_reduce(const platform::cuda& on, const computation& named, const E& e,
                             const D& destination, index_t tiles) {
  using value_type = typename E::value_type::value_type;
  constexpr index_t tile_steps = index_t{Threads} * Steps;
  constexpr auto kernel = flattened_reduce_kernel<Threads, Steps, CombineHere, Algorithm, E, D>;
  const index_t rows = e.size();
  const dim3 grid(static_cast<unsigned>(tiles));
  if constexpr (CombineHere) {
    const workspace<tile_record<value_type>> records(on, named, tiles > 1 ? tiles : 0);
    std::optional<arrival_counter> counter;
    if (tiles > 1) counter.emplace(on, named);
    launch(named, on.stream, grid, dim3(Threads), 0, kernel, e, destination, rows,
           have_same_rows(e), nullptr, records.data(), posted_carries<value_type>{},
           counter ? counter->get() : arrivals{});
  } else {
    constexpr int search_threads = 128;
    const workspace<tile_edge> edges(on, named, tiles + 1);
    const workspace<typename posted_carries<value_type>::word> words(
        on, named, posted_carries<value_type>::words_for(tiles));
    const posted_carries<value_type> carries{words.data()};
    launch(named, on.stream,
           dim3(static_cast<unsigned>(ceiling_quotient(tiles + 1, index_t{search_threads / 32}))),
           dim3(search_threads), 0, find_edges_kernel<search_threads, E, value_type>, e, rows,
           tile_steps, tiles + 1, edges.data(), carries);
    launch_early(named, on.stream, grid, dim3(Threads), kernel, e, destination, rows,
                 have_same_rows(e), edges.data(), nullptr, carries, arrivals{});
  }
}

/// combine_records() combines halves with halves.
template <int Threads>
inline constexpr bool can_combine_here_v = (Threads & (Threads - 1)) == 0;

/// Realises a map > reduce over contiguous rows into destination[i].
/// The policy's block_size_x and _y give the threads of a block, level 1's grain_size multiplies
/// the steps that a thread takes, and its block_reduce_algo is used where a tile has few rows.
template <has_flat_rows E, random_access D, constant_policy Policy>
void flattened_reduce(const platform::cuda& on, const computation& named, const E& e,
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
  const index_t tiles =
      ceiling_quotient(e.size() + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  if constexpr (can_combine_here_v<threads>) {
    if (tiles <= most_tiles_combined_here(threads)) {
      launch_flattened_reduce<threads, steps, true, algorithm>(on, named, e, destination, tiles);
      return;
    }
  }
  launch_flattened_reduce<threads, steps, false, algorithm>(on, named, e, destination, tiles);
}

}  // namespace fettle::ndp::cuda::detail
