// Families without a grid: networks, meshes, chains, trees, bands and blocks.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"
#include "springs.hpp"

namespace solvers::families {

inline matrix network(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double degree = text.take("degree", 6, 1, 200);
  springs all(size);
  for (index i = 0; i < size; ++i) {
    all.ground(i, 0.01 + random.unit());
    for (int k = 0; k < degree / 2; ++k)
      all.add(i, static_cast<index>(random.below(size)), 0.1 + random.unit());
  }
  return all.matrix();
}

/// A chain of springs whose stiffness varies over six decades.
inline matrix stiff(examples::input_text&, index size, spmv::random_numbers& random) {
  springs all(size);
  for (index i = 0; i < size; ++i) {
    const double stiffness = std::pow(10, 6 * random.unit());
    if (i + 1 < size) all.add(i, i + 1, stiffness);
    if (i + 2 < size) all.add(i, i + 2, 0.1 * stiffness);
    if (i % 50 == 0) all.ground(i, stiffness);
  }
  return all.matrix();
}

/// Groups of eight unknowns, strongly coupled within.
inline matrix blocks(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double indefinite = text.take("indefinite", 0, 0, 1);
  springs all(size);
  for (index i = 0; i < size; ++i) {
    const double sign = indefinite != 0 && i / 8 % 2 == 1 ? -1 : 1;
    for (index j = i + 1; j < std::min(size, (i / 8 + 1) * 8); ++j)
      all.add(i, j, sign * std::pow(10, 4 * random.unit()));
    all.ground(i, sign * (1 + random.unit()));
    all.add(i, static_cast<index>(random.below(size)), 0.05 * sign * random.unit());
  }
  return all.matrix();
}

/// Random points of a square, joined where they are near: `degree` neighbours on average.
inline matrix mesh(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double degree = text.take("degree", 8, 1, 100);
  const double mass = text.take("mass", 1e-3, 0, 1e3);
  const double radius = std::sqrt(degree / (std::acos(-1.0) * std::max(1, size)));
  const auto cells = std::max<index>(1, static_cast<index>(1 / std::max(radius, 1e-4)));
  std::vector<std::array<double, 2>> points(static_cast<std::size_t>(size));
  for (auto& p : points) p = {random.unit(), random.unit()};
  const auto cell_of = [&](double c) {
    return std::min(cells - 1, static_cast<index>(c * static_cast<double>(cells)));
  };
  std::sort(points.begin(), points.end(), [&](const auto& p, const auto& q) {  // as meshes are
    return std::tuple(cell_of(p[1]), p[0]) < std::tuple(cell_of(q[1]), q[0]);
  });
  std::vector<std::vector<index>> members(static_cast<std::size_t>(cells * cells));
  const auto cell = [&](index x, index y) -> auto& {
    return members[static_cast<std::size_t>(y * cells + x)];
  };
  for (index i = 0; i < size; ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    cell(cell_of(p[0]), cell_of(p[1])).push_back(i);
  }
  springs all(size);
  for (index i = 0; i < size; ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    all.ground(i, mass);
    const index column = cell_of(p[0]);
    const index row = cell_of(p[1]);
    for (index y = std::max(0, row - 1); y <= std::min(cells - 1, row + 1); ++y)
      for (index x = std::max(0, column - 1); x <= std::min(cells - 1, column + 1); ++x)
        for (const index j : cell(x, y)) {
          const auto& q = points[static_cast<std::size_t>(j)];
          const double distance = std::hypot(p[0] - q[0], p[1] - q[1]) / radius;
          if (i < j && distance <= 1) all.add(i, j, 1 / (0.01 + distance));
        }
  }
  return all.matrix();
}

/// Entries of either sign within 12 places of the diagonal, which is `dominance` of their sum.
inline matrix banded(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double dominance = text.take("dominance", 1, 0, 1e3);
  springs all(size);
  vector sums(static_cast<std::size_t>(size), 0.01);
  for (index i = 0; i < size; ++i)
    for (index j = i + 1; j < std::min(size, i + 12); ++j) {
      if (random.unit() < 0.4) continue;
      const double value = 2 * random.unit() - 1;
      all.couple(i, j, value);
      sums[static_cast<std::size_t>(i)] += std::fabs(value);
      sums[static_cast<std::size_t>(j)] += std::fabs(value);
    }
  for (index i = 0; i < size; ++i) all.ground(i, dominance * sums[static_cast<std::size_t>(i)]);
  return all.matrix();
}

/// `size` points, each held by `mass`, of which add(all, i) joins point i to others.
template <class Add>
matrix held_points(index size, double mass, const Add& add) {
  springs all(size);
  for (index i = 0; i < size; ++i) {
    all.ground(i, mass);
    add(all, i);
  }
  return all.matrix();
}

/// A chain of springs whose stiffness varies over so many decades.
inline matrix chain(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double decades = text.take("decades", 1, 0, 16);
  return held_points(size, text.take("mass", 1e-3, 0, 1e3), [&](springs& all, index i) {
    if (i + 1 < size) all.add(i, i + 1, std::pow(10, decades * random.unit()));
  });
}

/// Every point hangs on one of the `spread` before it.
inline matrix tree(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double spread = text.take("spread", 100, 1, 1e9);
  return held_points(size, text.take("mass", 1e-3, 0, 1e3), [&](springs& all, index i) {
    const auto reach = static_cast<index>(std::min(spread, static_cast<double>(i)));
    if (i > 0) all.add(i, i - 1 - static_cast<index>(random.below(reach)), 0.1 + random.unit());
  });
}

}  // namespace solvers::families
