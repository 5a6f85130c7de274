// The formats of a GPU, made on the host: what the threads of a warp read at once lies side by
// side. A format exists where it stores at most largest_fill elements for each nonzero.
#pragma once

#include <cmath>
#include <numeric>
#include <optional>

#include "dia.hpp"
#include "sparse_matrix.hpp"

namespace spmv {

/// Entry k of row r is at k * stride + r; padding holds the value 0 and a column of the row.
struct column_major_ell {
  std::size_t stride = 0;
  index width = 0;
  std::vector<index> columns;
  std::vector<double> values;
};

/// The entry of row r on diagonal d, in column r + offsets[d], is at d * stride + r.
struct column_major_dia {
  std::size_t stride = 0;
  std::vector<index> offsets;
  std::vector<double> values;
};

/// ELL in slices of 32 rows, each as wide as its longest row: entry k of lane i of slice s is at
/// slice_offsets[s] + k * 32 + i and belongs to row order[s * 32 + i]. Rows are ordered by length
/// within windows of 1024 (SELL-32-1024; Kreutzer et al., SISC 2014).
struct warp_sell {
  static constexpr index lanes = 32;
  static constexpr index window = 1024;
  std::vector<index> order;
  std::vector<std::int64_t> slice_offsets = {0};
  std::vector<index> columns;
  std::vector<double> values;

  index slices() const { return static_cast<index>(slice_offsets.size() - 1); }
};

namespace detail {

inline std::size_t padded(index rows) { return (static_cast<std::size_t>(rows) + 31) / 32 * 32; }

/// Calls store(k, column, value) for each of `width` elements of row r.
template <class Store>
void for_each_place(const csr_matrix<double>& a, index r, index width, const Store& store) {
  const auto first = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r)]);
  const auto last = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r) + 1]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k) {
    const std::size_t from = std::min(first + k, last - 1);
    if (first == last) {
      store(k, 0, 0.0);
    } else {
      store(k, a.columns[from], first + k < last ? a.values[from] : 0.0);
    }
  }
}

}  // namespace detail

inline column_major_ell column_major_ell_of(const csr_matrix<double>& a, index width) {
  column_major_ell ell{detail::padded(a.rows), width, {}, {}};
  ell.columns.resize(ell.stride * static_cast<std::size_t>(width));
  ell.values.resize(ell.columns.size());
  for (index r = 0; r < a.rows; ++r)
    detail::for_each_place(a, r, width, [&](std::size_t k, index column, double value) {
      ell.columns[k * ell.stride + static_cast<std::size_t>(r)] = column;
      ell.values[k * ell.stride + static_cast<std::size_t>(r)] = value;
    });
  return ell;
}

inline column_major_dia column_major_dia_of(const csr_matrix<double>& a,
                                            std::vector<index> offsets) {
  column_major_dia dia{detail::padded(a.rows), std::move(offsets), {}};
  dia.values.resize(dia.stride * dia.offsets.size());
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
    std::size_t d = 0;
    for (auto k = static_cast<std::size_t>(a.row_offsets[r]);
         k < static_cast<std::size_t>(a.row_offsets[r + 1]); ++k) {
      while (dia.offsets[d] + static_cast<index>(r) < a.columns[k]) ++d;
      dia.values[d * dia.stride + r] = a.values[k];
    }
  }
  return dia;
}

inline warp_sell warp_sell_of(const csr_matrix<double>& a) {
  warp_sell sell;
  const auto length = [&](index r) {
    return a.row_offsets[static_cast<std::size_t>(r) + 1] -
           a.row_offsets[static_cast<std::size_t>(r)];
  };
  sell.order.resize(static_cast<std::size_t>(a.rows));
  std::iota(sell.order.begin(), sell.order.end(), index{0});
  for (index first = 0; first < a.rows; first += warp_sell::window)
    std::stable_sort(sell.order.begin() + first,
                     sell.order.begin() + std::min(a.rows, first + warp_sell::window),
                     [&](index p, index q) { return length(p) > length(q); });
  for (index first = 0; first < a.rows; first += warp_sell::lanes) {
    const index width = length(sell.order[static_cast<std::size_t>(first)]);
    const std::size_t start = sell.columns.size();
    sell.columns.resize(start + static_cast<std::size_t>(width) * warp_sell::lanes, 0);
    sell.values.resize(sell.columns.size(), 0.0);
    for (index i = 0; i < std::min(warp_sell::lanes, a.rows - first); ++i)
      detail::for_each_place(a, sell.order[static_cast<std::size_t>(first + i)], width,
                             [&](std::size_t k, index column, double value) {
                               const std::size_t at =
                                   start + k * warp_sell::lanes + static_cast<std::size_t>(i);
                               sell.columns[at] = column;
                               sell.values[at] = value;
                             });
    sell.slice_offsets.push_back(static_cast<std::int64_t>(sell.columns.size()));
  }
  return sell;
}

/// How far the columns that 32 neighbouring entries read lie apart: the mean number of different
/// lines of 128 bytes of x that they touch, over at most 256 such groups, evenly spread; 1 without
/// entries. O(1).
inline double lines_a_warp(const csr_matrix<double>& a) {
  constexpr std::size_t group = 32;
  constexpr std::size_t most_groups = 256;
  const std::size_t groups = a.columns.size() / group;
  if (groups == 0) return 1;
  const std::size_t step = std::max<std::size_t>(1, groups / most_groups);
  std::size_t lines = 0;
  std::size_t sampled = 0;
  for (std::size_t n = 0; n < groups && sampled < most_groups; n += step, ++sampled) {
    index touched[group];
    for (std::size_t k = 0; k < group; ++k) touched[k] = a.columns[n * group + k] / 16;
    std::sort(touched, touched + group);
    lines += static_cast<std::size_t>(std::unique(touched, touched + group) - touched);
  }
  return static_cast<double>(lines) / static_cast<double>(sampled);
}

/// Standard deviation of the row lengths; 0 without rows. O(rows).
inline double row_length_deviation_of(const csr_matrix<double>& a) {
  if (a.rows == 0) return 0;
  const double mean = static_cast<double>(a.nonzeros()) / a.rows;
  double squares = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r)
    squares += std::pow(a.row_offsets[r + 1] - a.row_offsets[r] - mean, 2);
  return std::sqrt(squares / a.rows);
}

}  // namespace spmv
