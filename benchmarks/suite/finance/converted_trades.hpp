// converted_trades: y[k] = x[k] * rate[currency[k]] * (1 - fee[r]) of each trade k of account r.
//
// byte, float -> float; a table of 160 rates. In Fettle: map > map over two nests and the fees, of
// gather(rate, currencies).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct converted_trades {
  static constexpr const char* name = "converted_trades";
  static constexpr const char* types = "1 + 4 bytes";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;
  static constexpr index currencies = 160;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(9);
    return problem(rows_of(offsets), offsets.back(), reals<float>(offsets.back(), 1, 1, 1000),
                   integers<std::uint8_t>(offsets.back(), 2, currencies), offsets,
                   reals<float>(rows_of(offsets), 3, 0, 0.02),
                   reals<float>(currencies, 4, 0.01, 10));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x,
                                      view<const std::uint8_t> currency, view<const index> offsets,
                                      view<const float> fee, view<const float> rate,
                                      view<float> y) {
    const Real kept = 1 - Real(fee[r]);
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      y[k] = float(Real(x[k]) * Real(rate[currency[k]]) * kept);
    }
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const std::uint8_t> currency,
                     view<const index> offsets, view<const float> fee, view<const float> rate,
                     view<float> y) {
    for_each_warp(on.stream, fee.size(), [=] __device__(index r, int lane) {
      const float kept = 1 - fee[r];
      for (index k = offsets[r] + lane; k < offsets[r + 1]; k += 32) {
        y[k] = x[k] * rate[currency[k]] * kept;
      }
    });
  }
#endif
};

}  // namespace suite
