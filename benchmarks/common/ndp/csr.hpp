// Sparse patterns in CSR form, generated or real, and the serial references. The k-th value of
// every matrix is small_integer(k, values_seed): only where values lie matters for speed, so that
// all inputs share one array of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "exact_values.hpp"
#include "row_lengths.hpp"

namespace fettle_benchmarks {

/// Seeds of the values and of the vector that a matrix is multiplied with.
inline constexpr std::uint64_t values_seed = 31;
inline constexpr std::uint64_t vector_seed = 32;

struct csr {
  std::string name;
  index columns_count = 0;
  std::vector<index> offsets = {0};
  std::vector<index> columns;
  bool generated = true;

  [[nodiscard]] index rows() const { return static_cast<index>(offsets.size()) - 1; }
  [[nodiscard]] index nonzeros() const { return offsets.back(); }

  /// Bytes that any multiplication has to move: each array once.
  [[nodiscard]] double least_bytes(std::size_t value_size) const {
    const auto size = static_cast<double>(value_size);
    return static_cast<double>(nonzeros()) * (size + sizeof(index)) +
           static_cast<double>(offsets.size()) * sizeof(index) +
           (static_cast<double>(rows()) + columns_count) * size;
  }
};

/// Rows of these lengths; each row's columns ascend and are spread evenly over all of them.
[[nodiscard]] inline csr spread_columns(std::string name, index columns_count, const lengths& all) {
  csr a{std::move(name), columns_count, offsets_of(all), {}, true};
  a.columns.resize(static_cast<std::size_t>(a.nonzeros()));
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto begin = static_cast<std::size_t>(a.offsets[r]);
    const double step = static_cast<double>(columns_count) / std::max(all[r], index{1});
    for (std::size_t k = 0; k < static_cast<std::size_t>(all[r]); ++k) {
      const double at = (static_cast<double>(k) + unit(begin + k, 21)) * step;
      a.columns[begin + k] = std::min(static_cast<index>(at), columns_count - 1);
    }
  }
  return a;
}

/// `width` neighbouring columns around the diagonal.
[[nodiscard]] inline csr banded(std::string name, index rows, index width) {
  csr a{std::move(name), rows, offsets_of(equal_rows(rows, width)), {}, true};
  a.columns.resize(static_cast<std::size_t>(a.nonzeros()));
  for (index r = 0; r < rows; ++r) {
    const index first = std::clamp(r - width / 2, index{0}, rows - width);
    for (index k = 0; k < width; ++k) {
      a.columns[static_cast<std::size_t>(r) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(k)] = first + k;
    }
  }
  return a;
}

/// A x, row by row in order.
[[nodiscard]] inline std::vector<std::int32_t> serial_product(const csr& a) {
  const auto x = small_integers<int>(static_cast<std::size_t>(a.columns_count), vector_seed);
  std::vector<std::int32_t> y(static_cast<std::size_t>(a.rows()));
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      y[r] += small_integer(k, values_seed) * x[static_cast<std::size_t>(a.columns[k])];
    }
  }
  return y;
}

/// The sum of the values of each row, in order.
[[nodiscard]] inline std::vector<std::int32_t> serial_row_sums(const std::vector<index>& offsets) {
  std::vector<std::int32_t> sums(offsets.size() - 1);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      sums[r] += small_integer(static_cast<std::size_t>(k), values_seed);
    }
  }
  return sums;
}

/// Element i: the sum of the i values before it.
[[nodiscard]] inline std::vector<std::int32_t> serial_scan(std::size_t count) {
  std::vector<std::int32_t> sums(count);
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = sum;
    sum += small_integer(i, values_seed);
  }
  return sums;
}

}  // namespace fettle_benchmarks
