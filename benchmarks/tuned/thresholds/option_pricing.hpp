// OptionPricing (FinPar): Monte Carlo. For each contract the mean payoff over many paths, each of
// five dates, from its own pseudo-random numbers.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct option_pricing {
  static constexpr const char* name = "option_pricing";
  static constexpr int dates = 5;

  static index_t elements(const data_set& d) { return d.a * d.b; }
  static std::vector<data_set> data() {
    return {{"1x10000", true, 1, 10000},    {"3x2^20", false, 3, 1 << 20},
            {"8x262144", true, 8, 262144},  {"64x16384", true, 64, 16384},
            {"500x5000", false, 500, 5000}, {"4096x512", true, 4096, 512},
            {"16384x64", true, 16384, 64},  {"30000x100", false, 30000, 100}};
  }

  struct payoff {
    const float* strikes;
    FETTLE_HOST_DEVICE float operator()(index_t contract, index_t path) const {
      auto state = static_cast<std::uint32_t>(path) * 2654435761U + 97U;
      float price = 1.0F;
      for (int date = 0; date < dates; ++date) {
        state = state * 1664525U + 1013904223U;
        const float up = static_cast<float>(state >> 8U) * 0x1p-24F - 0.5F;
        price *= expf(0.2F * up);
      }
      const float gain = price - 0.5F - 0.5F * strikes[contract];
      return gain > 0 ? gain * 0.001F : 0.0F;
    }
  };

  static void run(bench& b) {
    const auto [contracts, paths] = std::pair(b.data.a, b.data.b);
    array<float> strikes = some_numbers(contracts);
    b.reduces("payoffs", {contracts, paths}, ndp::plus{}, 0.0F, payoff{pointer_to(strikes)});
  }
};

}  // namespace thresholds
