// Families on grids with one unknown a point: diffusion, waves and plates.
#pragma once

#include <cmath>

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"
#include "springs.hpp"

namespace solvers::families {

inline matrix laplace(examples::input_text& text, index size, spmv::random_numbers&) {
  const double points = text.take("points", 5, 5, 27);
  if (points != 5 && points != 7 && points != 9 && points != 27)
    text.fail("points must be 5, 7, 9 or 27");
  const grid g = points == 7 || points == 27 ? grid::cube(size) : grid::square(size);
  springs all(g.points());
  add_grid(all, g, points == 9 || points == 27, equal_weights);
  return all.matrix();
}

inline matrix anisotropic(examples::input_text& text, index size, spmv::random_numbers&) {
  const grid g = grid::square(size);
  springs all(g.points());
  add_grid(all, g, false, stretched(text.take("ratio", 100, 1e-9, 1e9)));
  return all.matrix();
}

/// A chequerboard of six parts a side, every second one `jump` times as stiff.
inline matrix jumping(examples::input_text& text, index size, spmv::random_numbers&) {
  const double jump = text.take("jump", 1e4, 1, 1e12);
  const grid g = grid::square(size);
  const index part = std::max<index>(1, g.side / 6);
  springs all(g.points());
  add_grid(all, g, false, [&](index x, index y, index, index dx, index dy, index) {
    const auto within = [&](index p, index q) { return (p / part + q / part) % 2 == 0; };
    return within(x, y) && within(x + dx, y + dy) ? jump : 1.0;
  });
  return all.matrix();
}

inline matrix less_shift(const grid& g, double shift, double ratio) {
  springs all(g.points());
  add_grid(all, g, false, stretched(ratio));
  for (index i = 0; i < g.points(); ++i) all.ground(i, -shift);
  return all.matrix();
}

inline matrix shifted(examples::input_text& text, index size, spmv::random_numbers&) {
  return less_shift(grid::square(size), text.take("shift", 0.1, -1e3, 1e3), 1);
}

inline matrix waves(examples::input_text& text, index size, spmv::random_numbers&) {
  const double ratio = text.take("ratio", 100, 1e-9, 1e9);
  return less_shift(grid::square(size), text.take("shift", 0.1, -1e3, 1e3), ratio);
}

/// A bending plate, whose matrix has entries of either sign.
inline matrix biharmonic(examples::input_text&, index size, spmv::random_numbers&) {
  const grid g = grid::square(size);
  springs all(g.points());
  for (index y = 0; y < g.side; ++y)
    for (index x = 0; x < g.side; ++x)
      for (index dy = -2; dy <= 2; ++dy)
        for (index dx = -2; dx <= 2; ++dx) {
          const index distance = std::abs(dx) + std::abs(dy);
          if (distance == 0 || distance > 2) continue;
          const double w = distance == 1 ? 8 : dx != 0 && dy != 0 ? -2 : -1;
          const index i = g.number(x, y, 0);
          if (!g.has(x + dx, y + dy, 0)) {
            all.ground(i, w);
          } else if (const index j = g.number(x + dx, y + dy, 0); i < j) {
            all.add(i, j, w);
          }
        }
  return all.matrix();
}

/// Two directions alternate in stripes.
inline matrix plates(examples::input_text& text, index size, spmv::random_numbers&) {
  const double ratio = text.take("ratio", 100, 1e-9, 1e9);
  const grid g = grid::square(size);
  springs all(g.points());
  add_grid(all, g, true, [&](index, index y, index, index dx, index dy, index) {
    const bool along = dy == 0;
    return dx != 0 && dy != 0 ? 0.2 : along == (y % 16 < 8) ? ratio : 1.0;
  });
  return all.matrix();
}

/// Diffusion whose coefficient is log-normal, each point's its own: `sigma` of its logarithm.
inline matrix contrast(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double sigma = text.take("sigma", 1, 0, 20);
  const grid g = grid::square(size);
  vector conductivity(static_cast<std::size_t>(g.points()));
  for (double& c : conductivity) {
    double normal = -6;  // twelve uniform numbers have a variance of 1
    for (int k = 0; k < 12; ++k) normal += random.unit();
    c = std::exp(sigma * normal);
  }
  springs all(g.points());
  add_grid(all, g, false, [&](index x, index y, index, index dx, index dy, index) {
    const auto at = [&](index p, index q) {
      return conductivity[static_cast<std::size_t>(g.number(p, q, 0))];
    };
    return g.has(x + dx, y + dy, 0) ? std::sqrt(at(x, y) * at(x + dx, y + dy)) : at(x, y);
  });
  return all.matrix();
}

/// laplace with rows and columns in units that differ by so many decades.
inline matrix scaled(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double decades = text.take("decades", 4, 0, 16);
  const grid g = grid::square(size);
  springs all(g.points());
  add_grid(all, g, false, equal_weights);
  vector units(static_cast<std::size_t>(g.points()));
  for (double& unit : units) unit = std::pow(10, decades / 2 * (random.unit() - 0.5));
  return all.matrix([&](index i) { return units[static_cast<std::size_t>(i)]; });
}

/// A torus, with `mass` at every point.
inline matrix periodic(examples::input_text& text, index size, spmv::random_numbers&) {
  const double mass = text.take("mass", 1e-3, 0, 1e3);
  const grid g = grid::square(size);
  springs all(g.points());
  for (index y = 0; y < g.side; ++y)
    for (index x = 0; x < g.side; ++x) {
      const index i = g.number(x, y, 0);
      all.ground(i, mass);
      all.add(i, g.number((x + 1) % g.side, y, 0), 1);
      all.add(i, g.number(x, (y + 1) % g.side, 0), 1);
    }
  return all.matrix();
}

/// A cube of layers, each of a stiffness of its own between 1 and `jump`.
inline matrix layers(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double jump = text.take("jump", 1e3, 1, 1e12);
  const grid g = grid::cube(size);
  vector stiffness(static_cast<std::size_t>(g.side));
  for (double& s : stiffness) s = std::pow(jump, random.unit());
  springs all(g.points());
  add_grid(all, g, false, [&](index, index, index z, index, index, index dz) {
    const auto at = [&](index k) { return stiffness[static_cast<std::size_t>(k)]; };
    return z + dz < 0 || z + dz >= g.side ? at(z) : 2 / (1 / at(z) + 1 / at(z + dz));
  });
  return all.matrix();
}

/// laplace of which so many springs are missing.
inline matrix cracked(examples::input_text& text, index size, spmv::random_numbers& random) {
  const double missing = text.take("missing", 0.2, 0, 1);
  const grid g = grid::square(size);
  springs all(g.points());
  for (index i = 0; i < g.points(); ++i) all.ground(i, 1e-3);
  add_grid(all, g, false, [&](index, index, index, index, index, index) {
    return random.unit() < missing ? 0.0 : 1.0;
  });
  return all.matrix();
}

}  // namespace solvers::families
