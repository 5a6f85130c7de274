// option_prices: the value y[i] and the delta y[n + i] of n European call options, by Black and
// Scholes.
//
// 3 floats -> 2 floats; a logarithm, an exponential, a root and two error functions an option. In
// Fettle: map to tuples, into a zip of both halves of y.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct option_prices {
  static constexpr const char* name = "option_prices";
  static constexpr const char* types = "3 x float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 2e-4;

  template <typename Real>
  struct value {
    Real price;
    Real delta;
  };
  template <typename Real>
  FETTLE_HOST_DEVICE static Real normal(Real x) {
    return Real(0.5) * std::erfc(-x * Real(0.70710678118654752));
  }
  template <typename Real>
  FETTLE_HOST_DEVICE static value<Real> call(Real spot, Real strike, Real years) {
    const Real rate = Real(0.03);
    const Real volatility = Real(0.25);
    const Real deviation = volatility * std::sqrt(years);
    const Real growth = (rate + Real(0.5) * volatility * volatility) * years;
    const Real d = (std::log(spot / strike) + growth) / deviation;
    const Real delta = normal(d);
    return {spot * delta - strike * std::exp(-rate * years) * normal(d - deviation), delta};
  }

  static auto make(const shape& like) {
    const index n = like.elements(20);
    return problem(n, 2 * n, reals<float>(n, 1, 5, 30), reals<float>(n, 2, 1, 100),
                   reals<float>(n, 3, 0.25, 10));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> spot, view<const float> strike,
                                      view<const float> years, view<float> y) {
    const value<Real> one = call(Real(spot[i]), Real(strike[i]), Real(years[i]));
    y[i] = float(one.price);
    y[spot.size() + i] = float(one.delta);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 options";
  static void second(const device& on, view<const float> spot, view<const float> strike,
                     view<const float> years, view<float> y) {
    const index threads = (spot.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < spot.size(); i += threads) step<float>(i, spot, strike, years, y);
    });
  }
#endif
};

}  // namespace suite
