// SpMV variants: SELL-C-sigma (Kreutzer et al., SISC 2014): ELL in slices, each padded only to its
// own longest row, with rows of like length brought together. Vector lanes stay full although row
// lengths differ.
#pragma once

#include <numeric>

#include "csr.hpp"
#include "threads.hpp"

namespace spmv {

/// Slice s holds the rows order[s * lanes ...] at [slice_offsets[s], slice_offsets[s + 1]):
/// entry k of its lane i is at slice_offsets[s] + k * lanes + i. Rows are ordered by length,
/// longest first, within windows of `window` rows, so that x is still read nearly in order. Padding
/// holds the value 0 and a column of the row (as in ell_matrix).
template <class Value = double>
struct sell_matrix {
  static constexpr index lanes = 8;
  static constexpr index window = 512;
  index rows = 0;
  std::vector<index> order;
  std::vector<std::size_t> slice_offsets = {0};
  std::vector<index> columns;
  std::vector<Value> values;

  index slices() const noexcept { return static_cast<index>(slice_offsets.size() - 1); }
};

/// Converts. O(nonzeros + rows log(window)).
template <class Value>
sell_matrix<Value> sell_from_csr(const csr_matrix<Value>& a) {
  sell_matrix<Value> sell;
  constexpr index lanes = sell_matrix<Value>::lanes;
  sell.rows = a.rows;
  sell.order.resize(static_cast<std::size_t>(a.rows));
  std::iota(sell.order.begin(), sell.order.end(), index{0});
  const auto length = [&](index r) {
    return a.row_offsets[static_cast<std::size_t>(r) + 1] -
           a.row_offsets[static_cast<std::size_t>(r)];
  };
  for (index first = 0; first < a.rows; first += sell.window)
    std::stable_sort(sell.order.begin() + first,
                     sell.order.begin() + std::min(a.rows, first + sell.window),
                     [&](index p, index q) { return length(p) > length(q); });
  for (index first = 0; first < a.rows; first += lanes) {
    const index count = std::min(lanes, a.rows - first);
    const index width = length(sell.order[static_cast<std::size_t>(first)]);
    const std::size_t start = sell.slice_offsets.back();
    const std::size_t end = start + static_cast<std::size_t>(width) * lanes;
    sell.columns.resize(end, 0);
    sell.values.resize(end, Value{0});
    for (index i = 0; i < count; ++i) {
      const index r = sell.order[static_cast<std::size_t>(first + i)];
      const index row_begin = a.row_offsets[static_cast<std::size_t>(r)];
      for (index k = 0; k < width && length(r) > 0; ++k) {
        const auto entry = start + static_cast<std::size_t>(k * lanes + i);
        const auto source = static_cast<std::size_t>(row_begin + std::min(k, length(r) - 1));
        sell.columns[entry] = a.columns[source];
        if (k < length(r)) sell.values[entry] = a.values[source];
      }
    }
    sell.slice_offsets.push_back(end);
  }
  return sell;
}

namespace detail {

/// One slice of y = A x.
template <class Value>
inline void sell_slice(const sell_matrix<Value>& a, const Value* x, Value* y, index s) noexcept {
  constexpr index lanes = sell_matrix<Value>::lanes;
  const std::size_t end = a.slice_offsets[static_cast<std::size_t>(s) + 1];
  Value sums[lanes] = {};
  for (std::size_t k = a.slice_offsets[static_cast<std::size_t>(s)]; k < end; k += lanes) {
    const Value* values = a.values.data() + k;
    const index* columns = a.columns.data() + k;
#pragma omp simd
    for (index i = 0; i < lanes; ++i) sums[i] += values[i] * x[columns[i]];
  }
  const index* order = a.order.data() + s * lanes;
  const index count = std::min(lanes, a.rows - s * lanes);
  for (index i = 0; i < count; ++i) y[order[i]] = sums[i];
}

}  // namespace detail

/// y = A x on one thread. Writes every element of y.
template <class Value>
void sell_serial(const sell_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  for (index s = 0; s < a.slices(); ++s) detail::sell_slice(a, x.data(), y.data(), s);
}

namespace detail {

/// The first slice of tile `tile` of `tiles`. All tiles store about equally many entries; an empty
/// slice counts like one with an entry in each lane. O(log slices).
template <class Value>
inline index sell_tile_begin(const sell_matrix<Value>& a, int tile, int tiles) noexcept {
  constexpr auto lanes = static_cast<std::size_t>(sell_matrix<Value>::lanes);
  const auto work_before = [&](index s) {
    return a.slice_offsets[static_cast<std::size_t>(s)] + static_cast<std::size_t>(s) * lanes;
  };
  const std::size_t target =
      work_before(a.slices()) * static_cast<std::size_t>(tile) / static_cast<std::size_t>(tiles);
  index low = 0;
  index high = a.slices();
  while (low < high) {
    const index middle = low + (high - low) / 2;
    if (work_before(middle) < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace detail

/// y = A x, with the same number of stored entries for each thread: the longest rows are first in
/// their windows, so that equal numbers of slices would be unequal work. Writes every element of y.
template <class Value>
void sell_openmp(const sell_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  const int tiles = maximum_threads();
#pragma omp parallel num_threads(tiles)
  for (int tile = this_thread(); tile < tiles; tile += team_size()) {
    const index end = detail::sell_tile_begin(a, tile + 1, tiles);
    for (index s = detail::sell_tile_begin(a, tile, tiles); s < end; ++s)
      detail::sell_slice(a, x.data(), y.data(), s);
  }
}

}  // namespace spmv
