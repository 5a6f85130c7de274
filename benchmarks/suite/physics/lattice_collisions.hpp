// lattice_collisions: the nine densities of each cell of a lattice Boltzmann method move towards
// their equilibrium: f[i] += (w[i] rho (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u) - f[i]) / 1.6.
//
// struct of 9 floats (36 bytes) -> struct; some 100 operations an element. In Fettle: map.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct lattice_collisions {
  struct cell {
    float f[9];
  };

  static constexpr const char* name = "lattice_collisions";
  static constexpr const char* types = "36 bytes";
  static constexpr family shapes = family::sizes;
  using output = cell;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const index n = like.elements(72);
    const auto cells = filled(n, [](std::uint64_t i) {
      cell c;
      for (std::uint64_t k = 0; k < 9; ++k) c.f[k] = float(0.1 + 0.05 * fb::unit(9 * i + k, 5));
      return c;
    });
    return problem(n, n, cells);
  }

  /// Cell's velocities are -1, 0, 1 in both directions: density 3 a + b is that of (a - 1, b - 1).
  template <typename Real>
  FETTLE_HOST_DEVICE static cell collided(const cell& old) {
    Real rho = 0;
    Real u = 0;
    Real v = 0;
    for (int k = 0; k < 9; ++k) {
      rho += Real(old.f[k]);
      u += Real(k / 3 - 1) * Real(old.f[k]);
      v += Real(k % 3 - 1) * Real(old.f[k]);
    }
    u /= rho;
    v /= rho;
    cell next;
    for (int k = 0; k < 9; ++k) {
      const int zeros = (k / 3 == 1 ? 1 : 0) + (k % 3 == 1 ? 1 : 0);
      const Real weight = (zeros == 2 ? Real(16) : zeros == 1 ? Real(4) : Real(1)) / 36;
      const Real along = Real(k / 3 - 1) * u + Real(k % 3 - 1) * v;
      const Real equilibrium =
          weight * rho * (1 + 3 * along + Real(4.5) * along * along - Real(1.5) * (u * u + v * v));
      next.f[k] = float(Real(old.f[k]) + (equilibrium - Real(old.f[k])) / Real(1.6));
    }
    return next;
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const cell> x, view<cell> y) {
    y[i] = collided<Real>(x[i]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "through shared memory";
  static void second(const device& on, view<const cell> x, view<cell> y) {
    staged_map(on.stream, x, y, [] __device__(const cell& old) { return collided<float>(old); });
  }
#endif
};

}  // namespace suite
