// Transposition in place on a GPU in one pass, where the matrix fits into the shared memory of all
// multiprocessors: all blocks load a part, wait for each other, and store.
#pragma once

#include <cooperative_groups.h>

#include "device_launch.cuh"

namespace transpose::device {

constexpr unsigned on_chip_threads = 1024;
constexpr std::size_t least_band = 8192;

/// How the rows of the rows' array are divided among blocks.
struct row_bands {
  number rows;   ///< a band
  number count;  ///< of bands
};

/// ToLines: from m rows of n elements to n lines of m; or the reverse.
template <bool ToLines, class Value>
__global__ void __launch_bounds__(on_chip_threads, 1)
    on_chip_kernel(Value* data, number m, row_bands bands, padded_rows rows) {
  extern __shared__ __align__(16) unsigned char shared[];
  Value* const kept = reinterpret_cast<Value*>(shared);
  const number n = rows.n;
  const number first = min(m, blockIdx.x * bands.rows);
  const number count = min(bands.rows, m - first);
  const auto for_each_in_lines = [&](const auto& visit) {
    for_each_of_block(count * n, count, [&](number, number j, number row) {
      visit(data[j * m + first + row], kept[rows.at(row, j)]);
    });
  };
  const auto for_each_in_rows = [&](const auto& visit) {
    for_each_of_block(count * n, n, [&](number k, number row, number j) {
      visit(data[first * n + k], kept[rows.at(row, j)]);
    });
  };
  const auto load = [](Value& outside, Value& inside) { load_async(&inside, &outside); };
  const auto store = [](Value& outside, Value& inside) { outside = inside; };
  if constexpr (ToLines) {
    for_each_in_rows(load);
  } else {
    for_each_in_lines(load);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  cooperative_groups::this_grid().sync();
  if constexpr (ToLines) {
    for_each_in_lines(store);
  } else {
    for_each_in_rows(store);
  }
}

/// Bands of at least `least_band` bytes, one for each multiprocessor if there are enough.
template <class Value>
row_bands bands_of(number m, const padded_rows& rows) {
  const std::size_t bytes = rows.size(m) * sizeof(Value);
  const auto blocks =
      static_cast<number>(std::clamp<std::size_t>(bytes / least_band, 1, multiprocessors()));
  const number band = (m + blocks - 1) / blocks;
  return {band, (m + band - 1) / band};
}

/// Transposes in one pass, or returns false where the matrix, or a row of it, is too large.
template <bool ToLines, class Value>
bool transpose_on_chip(Value* data, number m, number n) {
  if (n > most_shared / sizeof(Value)) return false;
  static const auto kernel = with_shared_memory(&on_chip_kernel<ToLines, Value>);
  const padded_rows rows(n, sizeof(Value));
  const row_bands bands = bands_of<Value>(m, rows);
  const std::size_t shared = rows.size(bands.rows + 1) * sizeof(Value);
  if (shared > most_shared) return false;
  launch_together(kernel, bands.count, on_chip_threads, shared, data, m, bands, rows);
  return true;
}

}  // namespace transpose::device
