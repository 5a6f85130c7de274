// Heston (FinPar): prices of options under stochastic volatility. For each quote an integral of
// the characteristic function over 256 nodes; each of its values costs tens of operations.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct heston {
  static constexpr const char* name = "heston";
  static constexpr index_t nodes = 256;

  static index_t elements(const data_set& d) { return d.a * nodes; }
  static std::vector<data_set> data() {
    return {{"16 quotes", true, 16},         {"256 quotes", true, 256},
            {"1062 quotes", false, 1062},    {"4096 quotes", true, 4096},
            {"10000 quotes", false, 10000},  {"50000 quotes", true, 50000},
            {"100000 quotes", false, 100000}};
  }

  struct integrand {
    const float* strikes;
    FETTLE_HOST_DEVICE float operator()(index_t quote, index_t node) const {
      const float u = 0.1F + 0.05F * static_cast<float>(node);
      const float k = 0.5F + strikes[quote];
      const float modulus = sqrtf(u * u + k);
      const float phase = u * logf(k);
      const float decay = expf(-0.02F * modulus * u);
      const float damped = expf(-0.5F * modulus) * cosf(phase);
      return decay * damped * cosf(0.3F * phase + modulus) / (1.0F + u * u);
    }
  };

  static void run(bench& b) {
    array<float> strikes = some_numbers(b.data.a);
    b.reduces("integrals", {b.data.a, nodes}, ndp::plus{}, 0.0F, integrand{pointer_to(strikes)});
  }
};

}  // namespace thresholds
