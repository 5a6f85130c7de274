// Families on grids with several unknowns a point.
#pragma once

#include <array>

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"
#include "springs.hpp"

namespace solvers::families {

/// Points of a square that move in both directions; springs along the diagonals are `ratio` as
/// stiff as those along the axes. Two unknowns a point.
inline matrix elastic(examples::input_text& text, index size, spmv::random_numbers&) {
  const double ratio = text.take("ratio", 0.5, 1e-6, 1e6);
  const grid g = grid::square(std::max(1, size / 2));
  springs all(2 * g.points());
  for_each_neighbour(g, true, [&](index i, index j, index dx, index dy, index, auto...) {
    if (j >= 0 && j < i) return;
    const bool is_diagonal = dx != 0 && dy != 0;
    const double w = is_diagonal ? ratio / 2 : 1;
    const std::array<double, 2> along{double(dx), double(dy)};
    for (const index point : {i, j}) {
      if (point < 0) continue;
      for (index k = 0; k < 2; ++k)
        all.ground(2 * point + k,
                   w * along[static_cast<std::size_t>(k)] * along[static_cast<std::size_t>(k)]);
      if (is_diagonal) all.couple(2 * point, 2 * point + 1, w * along[0] * along[1]);
    }
    if (j < 0) return;
    for (index k = 0; k < 2; ++k)
      for (index l = 0; l < 2; ++l)
        if (const double value =
                w * along[static_cast<std::size_t>(k)] * along[static_cast<std::size_t>(l)];
            value != 0)
          all.couple(2 * i + k, 2 * j + l, -value);
  });
  return all.matrix();
}

/// Two unknowns a point of a grid, of which the second ones' part is negative definite, coupled.
inline matrix twofold(examples::input_text& text, index size, spmv::random_numbers&) {
  const double coupling = text.take("coupling", 1, 0, 1e6);
  const grid g = grid::square(std::max(1, size / 2));
  springs all(2 * g.points());
  for (index i = 0; i < g.points(); ++i) {
    all.ground(2 * i, 1);
    all.ground(2 * i + 1, -1);
    all.couple(2 * i, 2 * i + 1, coupling);
  }
  add_grids(all, g, 2, [](index k) { return k == 0 ? 1.0 : -1.0; });
  return all.matrix();
}

/// Several unknowns a point of a grid, coupled at random there; with indefinite=1 every second
/// one's part is negative definite.
inline matrix fields(examples::input_text& text, index size, spmv::random_numbers& random) {
  const auto count = static_cast<index>(text.take("fields", 3, 1, 16));
  const double coupling = text.take("coupling", 1, 0, 1e6);
  const double indefinite = text.take("indefinite", 0, 0, 1);
  const auto sign = [&](index field) { return indefinite != 0 && field % 2 == 1 ? -1.0 : 1.0; };
  const grid g = grid::square(std::max(1, size / count));
  springs all(count * g.points());
  for (index i = 0; i < g.points(); ++i)
    for (index k = 0; k < count; ++k) {
      all.ground(count * i + k, sign(k) * coupling / 2 * static_cast<double>(count - 1));
      for (index l = k + 1; l < count; ++l)
        all.couple(count * i + k, count * i + l, coupling * (random.unit() - 0.5));
    }
  add_grids(all, g, count, sign);
  return all.matrix();
}

}  // namespace solvers::families
