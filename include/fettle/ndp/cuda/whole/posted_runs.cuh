// posted_runs: reduce_by_key and runs_by_key in one kernel, for as many elements as it is faster
// for than CUB's two or those of tiled_runs.cuh: a block a tile, which finds out from what the
// blocks before have posted (tile_posts.cuh) how many runs begin before it and what they have of
// the run that goes on in it. In order, and the same in every run.
#pragma once

#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/run_items.cuh>
#include <fettle/ndp/cuda/whole/tile_posts.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/counted.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What a tile posts, in no more words than it has.
template <typename Partial>
struct posted_run {
  static_assert(std::is_trivially_copyable_v<Partial>);
  alignas(std::uint32_t) unsigned char last_bytes[sizeof(Partial)];
  std::uint32_t begun;  // runs that begin in the tile

  [[nodiscard]] static __device__ posted_run of(const Partial& last, std::uint32_t begun) {
    posted_run out;
    memcpy(out.last_bytes, &last, sizeof(Partial));
    out.begun = begun;
    return out;
  }
  /// Of the run that is open at the tile's end: of all its elements, if none begins.
  [[nodiscard]] __device__ Partial last() const {
    Partial out;
    memcpy(&out, last_bytes, sizeof(Partial));
    return out;
  }
};

template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(runs_threads) void posted_runs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination,
    tile_posts<posted_run<Partial>> posts) {
  using T = typename E::sum_type;
  using carry = segmented_carry<decltype(E::op), T, runs_threads>;
  using post = posted_run<Partial>;
  __shared__ typename carry::memory carry_shared;
  __shared__ sum_of_runs::TempStorage sum_shared;
  __shared__ scan_of_begun::TempStorage begun_shared;
  __shared__ index_t shared_runs;
  __shared__ bool shared_is_last;
  __shared__ alignas(Partial) unsigned char open_bytes[sizeof(Partial)];
  auto& shared_open = *reinterpret_cast<Partial*>(open_bytes);

  const int thread = static_cast<int>(threadIdx.x);
  const run_chunk tile = run_chunk::of(blockIdx.x, runs_step, e.size());
  const index_t first = tile.begin + index_t{thread} * runs_items;
  const int count = items_until(first, tile.end);
  T values[runs_items];
  read_items(e.source, first, count, has_aligned_items(e.source), values);
  const unsigned begins = begins_among(e.keys, first, count, has_aligned_items(e.keys));
  int begun_before = 0;  // by the threads before this one
  int begun = 0;         // by all
  scan_of_begun(begun_shared).ExclusiveSum(__popc(begins), begun_before, begun);
  Partial head = Partial::none();
  int head_end = -1;  // the element in front of which the first run ends here
  const Partial last =
      walk_items<Partial>(e.op, values, count, begins, [&](int j, const Partial& ended) {
        if (head_end >= 0) return;
        head = ended;
        head_end = j;
      });
  const carry handed = carry::over_block(carry_shared, thread, head_end >= 0, last, e.op);
  if (thread == runs_threads - 1) {
    posts.all().post(blockIdx.x, post::of(handed.all, static_cast<std::uint32_t>(begun)));
  }

  const index_t each = ceiling_quotient(index_t{blockIdx.x}, index_t{runs_threads});
  index_t runs = 0;  // that begin before the tile
  Partial open = Partial::none();
  for (index_t t = thread * each; t < (thread + 1) * each && t < blockIdx.x; ++t) {
    const post of_tile = posts.all().take(t);
    open = of_tile.begun > 0 ? of_tile.last() : joined(e.op, open, of_tile.last());
    runs += of_tile.begun;
  }
  __syncthreads();  // the memory is used again
  const carry before = carry::over_block(carry_shared, thread, runs > 0, open, e.op);
  runs = sum_of_runs(sum_shared).Sum(runs);
  if (thread == 0) shared_runs = runs;
  if (thread == runs_threads - 1) shared_open = before.all;
  __syncthreads();
  if (thread == 0) shared_is_last = posts.leave();

  index_t run = shared_runs + begun_before - 1;  // that is open where the thread's elements begin
  if (head_end >= 0 && run >= 0) {
    Partial ended = handed.before;
    if (begun_before == 0) ended = joined(e.op, shared_open, ended);
    store_run(e, destination, run, first + head_end, joined(e.op, ended, head).value);
  }
  static_cast<void>(
      walk_items<Partial>(e.op, values, count, begins, [&](int j, const Partial& ended) {
        if (j != head_end) store_run(e, destination, run, first + j, ended.value);
        ++run;
      }));
  if (thread == runs_threads - 1 && tile.ends_all()) {
    const index_t all = shared_runs + begun;
    const Partial ended = begun > 0 ? handed.all : joined(e.op, shared_open, handed.all);
    store_run(e, destination, all - 1, tile.end, ended.value);
    if constexpr (is_counted_v<D>) {
      destination.results[0] = static_cast<typename decltype(destination.results)::value_type>(all);
    }
  }
  __syncthreads();
  if (shared_is_last) posts.clear();
}

/// Tiles up to which one kernel is faster.
inline constexpr index_t most_posted_tiles = 256;

/// The i-th run's value into destination[i]; at least one element. False, and nothing done, where
/// others have to do it.
template <typename E, typename D>
[[nodiscard]] bool run_posted_runs(const platform::cuda& on, const computation& named, const E& e,
                                   const D& destination) {
  using partial = partial_value<decltype(e.op), typename E::sum_type>;
  using posts = tile_posts<posted_run<partial>>;
  const index_t tiles = ceiling_quotient(e.size(), runs_step);
  if (tiles > most_posted_tiles || tiles > posts::most_tiles) return false;
  const arrival_counter counter(on, named);
  if (!counter.has_queue()) return false;
  launch(named, on.stream, dim3(static_cast<unsigned>(tiles)), dim3(runs_threads), 0,
         posted_runs_kernel<E, D, partial>, e, destination, posts{counter.get()});
  return true;
}

}  // namespace fettle::ndp::cuda::detail
