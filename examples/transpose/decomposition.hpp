// Transposition in place by independent operations on rows and columns, with memory for one line:
// Catanzaro, Keller, Garland, "A decomposition for in-place matrix transposition", PPoPP 2014.
//
// An array of m rows and n columns with c = gcd(m, n), a = m / c, b = n / c becomes its transpose
// by
//   1. rotating column j up by j / b                            (only where c > 1)
//   2. moving element (i, j) to column ((i + j / b) mod m + j m) mod n of its row
//   3. fetching element (i, j) from row (j + q(i)) mod m of its column, q(i) = (i n - i / a) mod m
// (C2R). The inverse steps in the opposite order transpose an array of n rows and m columns (R2C).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace transpose {

using index = std::int64_t;

/// Division by a fixed number, without the processor's slow one: exact below 2^52.
struct divider {
  index by;
  double reciprocal = 1 / static_cast<double>(by);

  index quotient(index x) const {
    const auto guess = static_cast<index>(static_cast<double>(x) * reciprocal);
    const index rest = x - guess * by;
    return guess + (rest >= by) - (rest < 0);
  }
  index remainder(index x) const { return x - quotient(x) * by; }
};

/// The numbers above, for an array of m rows and n columns.
struct decomposition {
  index m;
  index n;
  index c = std::gcd(m, n);
  index a = m / c;
  index b = n / c;
  divider by_a{a};
  divider by_m{m};

  /// The row, by step 3, from which row i comes before column j is rotated.
  index permuted_row(index i) const { return by_m.remainder(i * n - by_a.quotient(i)); }

  /// Calls visit(j, column) for each element j of row i and the column to which step 2 moves it.
  template <class Visit>
  void for_each_destination(index i, Visit&& visit) const {
    const auto wrapped = [this](index x) { return x >= n ? x - n : x; };
    const index step = m % n;
    const index block_step = b * step % n;
    index base = 0;           // j m mod n
    index rotated = i;        // (i + j / b) mod m
    index column_of = i % n;  // rotated mod n
    for (index first = 0; first < n; first += b) {
      index column = wrapped(column_of + base);
      for (index j = first; j < first + b; ++j) {
        visit(j, column);
        column = wrapped(column + step);
      }
      base = wrapped(base + block_step);
      column_of = ++rotated == m ? 0 : wrapped(column_of + 1);
      if (rotated == m) rotated = 0;
    }
  }
};

/// Moves every row's elements as step 2 does, or back.
template <bool Back, class Value>
void shuffle_rows(Value* data, const decomposition& d, bool parallel) {
#pragma omp parallel if (parallel)
  {
    std::vector<Value> line(static_cast<std::size_t>(d.n));
#pragma omp for schedule(static)
    for (index i = 0; i < d.m; ++i) {
      Value* row = data + i * d.n;
      d.for_each_destination(i, [&](index j, index column) {
        if constexpr (Back) {
          line[static_cast<std::size_t>(j)] = row[column];
        } else {
          line[static_cast<std::size_t>(column)] = row[j];
        }
      });
      std::copy(line.begin(), line.end(), row);
    }
  }
}

/// Replaces element (i, j) by the element (source(i) + rotation(j)) mod m of its column, several
/// columns at a time: of a cache line, where their copy stays below a sixteenth of the matrix.
template <bool Back, class Value, class Source, class Rotation>
void gather_columns(Value* data, const decomposition& d, bool parallel, const Source& source,
                    const Rotation& rotation) {
  const index width = std::clamp<index>(d.n / 16, 1, static_cast<index>(64 / sizeof(Value)));
  std::vector<index> sources(static_cast<std::size_t>(d.m));
#pragma omp parallel if (parallel)
  {
    std::vector<Value> group(static_cast<std::size_t>(d.m * width));
#pragma omp for schedule(static)
    for (index i = 0; i < d.m; ++i) sources[static_cast<std::size_t>(i)] = source(i);
#pragma omp for schedule(static)
    for (index first = 0; first < d.n; first += width) {
      const index used = std::min(width, d.n - first);
      Value* const columns = data + first;
      std::array<index, 64 / sizeof(Value)> shift{};
      for (index k = 0; k < used; ++k) shift[static_cast<std::size_t>(k)] = rotation(first + k);
      for (index i = 0; i < d.m; ++i)
        std::copy_n(columns + i * d.n, used, &group[static_cast<std::size_t>(i * width)]);
      for (index i = 0; i < d.m; ++i) {
        const index from = sources[static_cast<std::size_t>(i)];
        for (index k = 0; k < used; ++k) {
          index row = from + shift[static_cast<std::size_t>(k)];
          if (row >= d.m) row -= d.m;
          if constexpr (Back) {
            columns[row * d.n + k] = group[static_cast<std::size_t>(i * width + k)];
          } else {
            columns[i * d.n + k] = group[static_cast<std::size_t>(row * width + k)];
          }
        }
      }
    }
  }
}

/// Below this many elements, starting threads costs more than they save.
inline constexpr index least_parallel = 1 << 16;

/// Transposes an array of `m` rows and `n` columns by the steps 1 to 3.
template <class Value>
void c2r(Value* data, index m, index n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{m, n};
  const bool parallel = m * n >= least_parallel;
  if (d.c > 1)
    gather_columns<false>(
        data, d, parallel, [](index i) { return i; }, [&](index j) { return j / d.b; });
  shuffle_rows<false>(data, d, parallel);
  gather_columns<false>(
      data, d, parallel, [&](index i) { return d.permuted_row(i); },
      [&](index j) { return j % m; });
}

/// Transposes an array of `m` rows and `n` columns by the inverse steps, as n rows of m elements.
template <class Value>
void r2c(Value* data, index m, index n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{n, m};
  const bool parallel = m * n >= least_parallel;
  gather_columns<true>(
      data, d, parallel, [&](index i) { return d.permuted_row(i); },
      [&](index j) { return j % d.m; });
  shuffle_rows<true>(data, d, parallel);
  if (d.c > 1)
    gather_columns<true>(
        data, d, parallel, [](index i) { return i; }, [&](index j) { return j / d.b; });
}

}  // namespace transpose
