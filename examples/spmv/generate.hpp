// Matrices of many shapes made from a seed: stencils, finite elements, blocks, bands, power laws.
// Each function is one family; generate_by_name.hpp gives them names and text parameters.
#pragma once

#include <cmath>

#include "csr.hpp"
#include "random.hpp"

namespace spmv::generate {

namespace detail {

/// Collects rows of distinct columns; values are uniform in [-1, 1).
class row_builder {
 public:
  row_builder(index rows, index columns, std::uint64_t seed) : random(seed) {
    a_.rows = rows;
    a_.columns_count = columns;
    a_.row_offsets.reserve(static_cast<std::size_t>(rows) + 1);
  }

  /// Adds `column` to the current row, in any order; a second time, or outside: no effect.
  void add(std::int64_t column) {
    if (column >= 0 && column < a_.columns_count) row_.push_back(static_cast<index>(column));
  }

  /// Adds `count` distinct random columns of [first, last) to the current row.
  void add_random(std::int64_t count, std::int64_t first, std::int64_t last) {
    first = std::max<std::int64_t>(first, 0);
    last = std::min<std::int64_t>(last, a_.columns_count);
    if (first >= last) return;
    if (count >= (last - first) / 2) {  // nearly full: selection sampling never draws twice
      for (auto c = first; c < last && count > 0; ++c)
        if (random.below(last - c) < count) add(c), --count;
      return;
    }
    const auto before = row_.size();
    const auto wanted = before + static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    while (row_.size() < wanted) {
      while (row_.size() < wanted) add(first + random.below(last - first));
      const auto begin = row_.begin() + static_cast<std::ptrdiff_t>(before);
      std::sort(begin, row_.end());
      row_.erase(std::unique(begin, row_.end()), row_.end());
    }
  }

  void end_row() {
    if (!std::is_sorted(row_.begin(), row_.end())) std::sort(row_.begin(), row_.end());
    row_.erase(std::unique(row_.begin(), row_.end()), row_.end());
    for (const index column : row_) {
      a_.columns.push_back(column);
      a_.values.push_back(2 * random.unit() - 1);
    }
    if (a_.columns.size() > static_cast<std::size_t>(std::numeric_limits<index>::max()))
      throw std::length_error("a generated matrix has more than 2^31 nonzeros; ask for fewer");
    a_.row_offsets.push_back(static_cast<index>(a_.columns.size()));
    row_.clear();
  }

  csr_matrix<double> finish() { return std::move(a_); }

  random_numbers random;

 private:
  csr_matrix<double> a_;
  std::vector<index> row_;
};

}  // namespace detail

/// A stencil on a square grid (5 or 9 points) or a cubic one (7 or 27) of `side` cells a direction.
/// Throws std::invalid_argument for another number of points.
inline csr_matrix<double> stencil(int points, index side, std::uint64_t seed) {
  if (points != 5 && points != 9 && points != 7 && points != 27)
    throw std::invalid_argument("a stencil has 5 or 9 points (2-D) or 7 or 27 (3-D), not " +
                                std::to_string(points));
  const bool cubic = points == 7 || points == 27;
  const bool corners = points == 9 || points == 27;
  const index depth = cubic ? side : 1;
  detail::row_builder rows(side * side * depth, side * side * depth, seed);
  for (index z = 0; z < depth; ++z)
    for (index y = 0; y < side; ++y)
      for (index x = 0; x < side; ++x) {
        for (index dz = -1; dz <= 1; ++dz)
          for (index dy = -1; dy <= 1; ++dy)
            for (index dx = -1; dx <= 1; ++dx) {
              const bool inside = x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side &&
                                  z + dz >= 0 && z + dz < depth;
              if (inside && (corners || std::abs(dx) + std::abs(dy) + std::abs(dz) <= 1))
                rows.add(std::int64_t{z + dz} * side * side + (y + dy) * side + x + dx);
            }
        rows.end_row();
      }
  return rows.finish();
}

/// Finite elements: `nodes` nodes with `block` unknowns each; a node is coupled with itself and
/// with about `neighbours` others that are close in the numbering, by full blocks.
inline csr_matrix<double> finite_elements(index nodes, index block, index neighbours,
                                          std::uint64_t seed) {
  detail::row_builder rows(nodes * block, nodes * block, seed);
  const auto reach = static_cast<std::int64_t>(std::sqrt(nodes)) * 2 + neighbours;
  std::vector<std::int64_t> coupled;
  for (index node = 0; node < nodes; ++node) {
    coupled.assign(1, node);
    const auto count = neighbours / 2 + rows.random.below(neighbours + 1);
    for (std::int64_t n = 0; n < count; ++n)
      coupled.push_back(node - reach + rows.random.below(2 * reach + 1));
    for (index i = 0; i < block; ++i) {
      for (const auto other : coupled)
        for (index j = 0; j < block; ++j) rows.add(other * block + j);
      rows.end_row();
    }
  }
  return rows.finish();
}

/// Full square blocks of `size` rows along the diagonal.
inline csr_matrix<double> block_diagonal(index blocks, index size, std::uint64_t seed) {
  detail::row_builder rows(blocks * size, blocks * size, seed);
  for (index r = 0; r < blocks * size; ++r) {
    for (index j = 0; j < size; ++j) rows.add(r / size * size + j);
    rows.end_row();
  }
  return rows.finish();
}

/// A band of `width` columns around the diagonal, of which each element is nonzero with
/// probability `density`.
inline csr_matrix<double> banded(index side, index width, double density, std::uint64_t seed) {
  detail::row_builder rows(side, side, seed);
  for (index r = 0; r < side; ++r) {
    for (index j = 0; j < width; ++j)
      if (rows.random.unit() < density) rows.add(std::int64_t{r} - width / 2 + j);
    rows.end_row();
  }
  return rows.finish();
}

/// `count` full diagonals, the main one and others at random distances of at most `reach`.
inline csr_matrix<double> diagonals(index side, index count, index reach, std::uint64_t seed) {
  detail::row_builder rows(side, side, seed);
  std::vector<std::int64_t> offsets = {0};
  while (offsets.size() < static_cast<std::size_t>(count))
    offsets.push_back(rows.random.below(2 * std::int64_t{reach} + 1) - reach);
  for (index r = 0; r < side; ++r) {
    for (const auto offset : offsets) rows.add(r + offset);
    rows.end_row();
  }
  return rows.finish();
}

/// Row lengths drawn from a Pareto distribution of the given `exponent` (> 1; near 1: very skewed)
/// and about the given mean, columns preferring low numbers alike: web and social graphs.
inline csr_matrix<double> power_law(index side, double mean, double exponent, std::uint64_t seed) {
  detail::row_builder rows(side, side, seed);
  const double least = mean * (exponent - 1) / exponent;
  for (index r = 0; r < side; ++r) {
    const double draw = least * std::pow(1 - rows.random.unit(), -1 / exponent);
    const auto length = std::llround(std::min(draw, side / 4.0));
    for (std::int64_t k = 0; k < length; ++k) {
      const double u = rows.random.unit();
      rows.add(static_cast<std::int64_t>(u * u * side));
    }
    rows.end_row();
  }
  return rows.finish();
}

/// Row lengths uniform in [mean - spread, mean + spread], columns anywhere (or, where `reach` > 0,
/// at most that far from the diagonal). With spread 0 every row has the same length.
inline csr_matrix<double> uniform(index row_count, index columns, index mean, index spread,
                                  index reach, std::uint64_t seed) {
  detail::row_builder rows(row_count, columns, seed);
  for (index r = 0; r < row_count; ++r) {
    const auto length = mean - spread + rows.random.below(2 * std::int64_t{spread} + 1);
    if (reach > 0) {
      const std::int64_t centre = std::int64_t{r} * columns / row_count;
      rows.add_random(length, centre - reach, centre + reach + 1);
    } else {
      rows.add_random(length, 0, columns);
    }
    rows.end_row();
  }
  return rows.finish();
}

/// Rows of about `mean` entries, and `long_rows` rows spread among them that are filled to the
/// fraction `fill`.
inline csr_matrix<double> long_rows(index side, index mean, index long_rows, double fill,
                                    std::uint64_t seed) {
  detail::row_builder rows(side, side, seed);
  const index stride = std::max(index{1}, side / std::max(index{1}, long_rows));
  for (index r = 0; r < side; ++r) {
    const bool is_long = r % stride == stride / 2 && r / stride < long_rows;
    rows.add_random(is_long ? std::llround(fill * side) : 1 + rows.random.below(2 * mean), 0, side);
    rows.end_row();
  }
  return rows.finish();
}

/// Like `uniform` with a reach of anywhere, but a row is empty with probability `empty`.
inline csr_matrix<double> empty_rows(index side, index mean, double empty, std::uint64_t seed) {
  detail::row_builder rows(side, side, seed);
  for (index r = 0; r < side; ++r) {
    if (rows.random.unit() >= empty) rows.add_random(1 + rows.random.below(2 * mean), 0, side);
    rows.end_row();
  }
  return rows.finish();
}

}  // namespace spmv::generate
