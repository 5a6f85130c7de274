// Matrix multiplication c = a b in three ways. Which is best, and with which tiles, depends on the
// shapes of the matrices and on the machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <vector>

/// Memory that begins with a cache line. Where it begins otherwise is chance, and so is the time:
/// a panel of values that lies across lines makes the multiplication up to 1.7 times slower.
template <typename T>
struct on_lines {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  on_lines() = default;
  template <typename U>
  on_lines(const on_lines<U>&) noexcept {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, line); }
  bool operator==(const on_lines&) const = default;
};

using numbers = std::vector<double, on_lines<double>>;

/// Row after row.
struct matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  numbers values;

  matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}
  double* row(std::size_t i) { return values.data() + i * columns; }
  const double* row(std::size_t i) const { return values.data() + i * columns; }
};

inline void clear(matrix& c) { std::fill(c.values.begin(), c.values.end(), 0.0); }

/// Adds the product of a block of rows, depths and columns.
inline void multiply_block(const matrix& a, const matrix& b, matrix& c, std::size_t i0,
                           std::size_t i1, std::size_t k0, std::size_t k1, std::size_t j0,
                           std::size_t j1) {
  for (std::size_t i = i0; i < i1; ++i) {
    double* const out = c.row(i);
    for (std::size_t k = k0; k < k1; ++k) {
      const double factor = a.row(i)[k];
      const double* const in = b.row(k);
      for (std::size_t j = j0; j < j1; ++j) out[j] += factor * in[j];
    }
  }
}

inline void multiply_plain(const matrix& a, const matrix& b, matrix& c) {
  clear(c);
  multiply_block(a, b, c, 0, a.rows, 0, a.columns, 0, b.columns);
}

/// Tiles of b that stay in a cache while rows of a pass by.
inline void multiply_tiled(const matrix& a, const matrix& b, matrix& c, std::size_t tile_i,
                           std::size_t tile_k, std::size_t tile_j) {
  clear(c);
  for (std::size_t j = 0; j < b.columns; j += tile_j) {
    for (std::size_t k = 0; k < a.columns; k += tile_k) {
      for (std::size_t i = 0; i < a.rows; i += tile_i) {
        multiply_block(a, b, c, i, std::min(i + tile_i, a.rows), k, std::min(k + tile_k, a.columns),
                       j, std::min(j + tile_j, b.columns));
      }
    }
  }
}

/// Rows x Columns results that stay in registers; `panel` holds Columns values for each depth.
template <std::size_t Rows, std::size_t Columns>
void multiply_panel(const matrix& a, const double* panel, matrix& c, std::size_t i, std::size_t k0,
                    std::size_t k1, std::size_t j, std::size_t width) {
  std::array<std::array<double, Columns>, Rows> sums{};
  for (std::size_t k = k0; k < k1; ++k) {
    const double* const in = panel + (k - k0) * Columns;
    for (std::size_t r = 0; r < Rows; ++r) {
      const double factor = a.row(i + r)[k];
      for (std::size_t s = 0; s < Columns; ++s) sums[r][s] += factor * in[s];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t s = 0; s < width; ++s) c.row(i + r)[j + s] += sums[r][s];
  }
}

/// Panels of b, copied one after the other so that they are read in one go.
template <std::size_t Rows, std::size_t Columns>
void multiply_packed(const matrix& a, const matrix& b, matrix& c, std::size_t depth) {
  clear(c);
  thread_local numbers panel;  // kept: to get memory for each call takes longer than small products
  panel.resize(depth * Columns);
  for (std::size_t k0 = 0; k0 < a.columns; k0 += depth) {
    const std::size_t k1 = std::min(k0 + depth, a.columns);
    for (std::size_t j = 0; j < b.columns; j += Columns) {
      const std::size_t width = std::min(Columns, b.columns - j);
      for (std::size_t k = k0; k < k1; ++k) {
        double* const into = panel.data() + (k - k0) * Columns;
        std::copy_n(b.row(k) + j, width, into);
        std::fill(into + width, into + Columns, 0.0);
      }
      std::size_t i = 0;
      for (; i + Rows <= a.rows; i += Rows) {
        multiply_panel<Rows, Columns>(a, panel.data(), c, i, k0, k1, j, width);
      }
      for (; i < a.rows; ++i) multiply_panel<1, Columns>(a, panel.data(), c, i, k0, k1, j, width);
    }
  }
}

/// The instance with these rows and columns, 1, 2, 4 or 8 by 8, 16 or 32.
inline void multiply_packed(const matrix& a, const matrix& b, matrix& c, std::size_t rows,
                            std::size_t columns, std::size_t depth) {
  const auto with_rows = [&]<std::size_t Columns>(std::integral_constant<std::size_t, Columns>) {
    if (rows == 1) return multiply_packed<1, Columns>(a, b, c, depth);
    if (rows == 2) return multiply_packed<2, Columns>(a, b, c, depth);
    if (rows == 4) return multiply_packed<4, Columns>(a, b, c, depth);
    return multiply_packed<8, Columns>(a, b, c, depth);
  };
  if (columns == 8) return with_rows(std::integral_constant<std::size_t, 8>());
  if (columns == 16) return with_rows(std::integral_constant<std::size_t, 16>());
  return with_rows(std::integral_constant<std::size_t, 32>());
}
