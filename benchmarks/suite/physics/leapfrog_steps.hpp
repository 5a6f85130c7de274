// leapfrog_steps: one step of all particles in a harmonic trap and a magnetic field along z: v +=
// dt (charge v x B - x) / mass; x += dt v.
//
// struct of 8 floats (32 bytes) -> struct. In Fettle: map.
#pragma once

#include "../common/particle.hpp"
#include "../common/processor.hpp"

namespace suite {

struct leapfrog_steps {
  static constexpr const char* name = "leapfrog_steps";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::sizes;
  using output = particle;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const index n = like.elements(64);
    return problem(n, n, particles(n));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static particle advanced(const particle& p) {
    const Real dt = Real(0.01);
    const Real rate = dt / Real(p.mass);
    const Real v[3] = {Real(p.v[0]) + rate * (Real(p.charge) * Real(p.v[1]) - Real(p.x[0])),
                       Real(p.v[1]) - rate * (Real(p.charge) * Real(p.v[0]) + Real(p.x[1])),
                       Real(p.v[2]) - rate * Real(p.x[2])};
    particle next = p;
    for (int i = 0; i < 3; ++i) {
      next.v[i] = float(v[i]);
      next.x[i] = float(Real(p.x[i]) + dt * v[i]);
    }
    return next;
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const particle> x, view<particle> y) {
    y[i] = advanced<Real>(x[i]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 2 particles";
  static void second(const device& on, view<const particle> x, view<particle> y) {
    const index threads = (x.size() + 1) / 2;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < x.size(); i += threads) y[i] = advanced<float>(x[i]);
    });
  }
#endif
};

}  // namespace suite
