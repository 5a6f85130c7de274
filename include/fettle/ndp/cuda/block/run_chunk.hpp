// A thread's walk over consecutive elements with keys: which runs of equal keys end there, and what
// it has of each. The work of reduce_by_key that does not depend on CUDA.
//
// Elements are cut in chunks, chunks are gathered in tiles (a block's), and runs go over both. Of
// the first run that ends in a chunk, the chunk has the last part only (`first`: the first to end);
// runs that lie inside the chunk are complete; what goes on after the chunk is `last`. The same
// holds for tiles.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements [begin, end) of `count`.
struct run_chunk {
  index_t begin;
  index_t end;
  index_t count;

  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr run_chunk of(index_t chunk, index_t length,
                                                                 index_t count) {
    const index_t begin = chunk * length < count ? chunk * length : count;
    return {begin, begin + length < count ? begin + length : count, count};
  }
  /// The run that is open at the end of all elements ends with this chunk.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool ends_all() const {
    return begin < end && end == count;
  }
};

/// Whether a run begins at element i.
template <typename K>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool begins_run(const K& keys, index_t i) {
  return i == 0 || !(keys[i] == keys[i - 1]);
}

template <typename K>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t count_runs(const K& keys,
                                                              const run_chunk& chunk) {
  index_t runs = 0;
  for (index_t i = chunk.begin; i < chunk.end; ++i) runs += begins_run(keys, i) ? 1 : 0;
  return runs;
}

/// What a chunk, or a tile of chunks, has of runs that go beyond it.
template <typename Partial>
struct run_parts {
  bool ends_run = false;  // a run that is open where it starts, or begins in it, ends in it
  Partial first = Partial::none();
  Partial last = Partial::none();
};

/// Walks a chunk. `runs_before` counts the runs that begin before it; complete(i, partial) is
/// called for every run i that lies in it, but for the first that ends. value(i) is read once,
/// several ahead so that loads overlap.
template <typename Partial, typename Op, typename K, typename Value, typename Complete>
[[nodiscard]] FETTLE_HOST_DEVICE run_parts<Partial> walk_runs(const run_chunk& chunk,
                                                              index_t runs_before, const Op& op,
                                                              const K& keys, const Value& value,
                                                              const Complete& complete) {
  constexpr int ahead = 4;
  run_parts<Partial> out;
  Partial sum = Partial::none();
  index_t runs = runs_before;
  const auto end_run = [&] {
    if (out.ends_run) {
      complete(runs - 1, sum);
    } else {
      out.first = sum;
      out.ends_run = true;
    }
    sum = Partial::none();
  };
  for (index_t base = chunk.begin; base < chunk.end; base += ahead) {
    decltype(value(index_t{})) values[ahead];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < ahead; ++j) {
      values[j] = value(base + j < chunk.end ? base + j : chunk.end - 1);
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < ahead; ++j) {
      const index_t i = base + j;
      if (i < chunk.end) {
        if (begins_run(keys, i)) {
          if (i > 0) end_run();
          ++runs;
        }
        sum.append(op, values[j]);
      }
    }
  }
  if (chunk.ends_all()) end_run();
  out.last = sum;
  return out;
}

/// Puts the parts of consecutive chunks together, in order; add() is called chunk by chunk.
template <typename Partial>
struct run_joiner {
  run_parts<Partial> tile;
  bool began_here;  // the run that is open began in this tile

  /// `first_of_all`: the tile starts with the very first element.
  [[nodiscard]] static FETTLE_HOST_DEVICE run_joiner at(bool first_of_all) {
    return {{}, first_of_all};
  }

  /// `ended` is the run that a chunk's `first` belongs to; complete() is called where it began
  /// here.
  template <typename Op, typename Complete>
  FETTLE_HOST_DEVICE void add(const Op& op, const run_parts<Partial>& chunk, index_t ended,
                              const Complete& complete) {
    if (!chunk.ends_run) {
      tile.last = joined(op, tile.last, chunk.last);
      return;
    }
    const Partial sum = joined(op, tile.last, chunk.first);
    if (began_here) {
      complete(ended, sum);
    } else {
      tile.first = sum;
      tile.ends_run = true;
      began_here = true;
    }
    tile.last = chunk.last;
  }
};

}  // namespace fettle::ndp::cuda::detail
