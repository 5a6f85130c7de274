// BFast: breaks in time series of satellite images. For each pixel a regression on 8 harmonics,
// which are sums over its series, and the running sums of the residuals.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct bfast {
  static constexpr const char* name = "bfast";
  static constexpr index_t harmonics = 8;

  static index_t elements(const data_set& d) { return d.a * d.b * harmonics; }
  static std::vector<data_set> data() {
    return {{"1024x512", true, 1024, 512},    {"16384x64", true, 16384, 64},
            {"256x4096", true, 256, 4096},    {"65536x128", true, 65536, 128},
            {"32x16384", true, 32, 16384},    {"111556x235", false, 111556, 235},
            {"2048x1024", false, 2048, 1024}, {"64x8192", false, 64, 8192}};
  }

  struct projected {
    const float* harmonic;
    const float* series;
    index_t length;
    FETTLE_HOST_DEVICE float operator()(index_t row, index_t k) const {
      const index_t pixel = row / harmonics;
      return harmonic[(row - pixel * harmonics) * length + k] * series[pixel * length + k];
    }
  };
  struct residual {
    const float* series;
    index_t length;
    FETTLE_HOST_DEVICE float operator()(index_t pixel, index_t k) const {
      return series[pixel * length + k] - 0.5F;
    }
  };

  static void run(bench& b) {
    const auto [pixels, length] = std::pair(b.data.a, b.data.b);
    array<float> series = some_numbers(pixels * length);
    array<float> harmonic = some_numbers(harmonics * length);
    b.reduces("fit", {pixels * harmonics, length}, ndp::plus{}, 0.0F,
              projected{pointer_to(harmonic), pointer_to(series), length});
    b.scans("residuals", {pixels, length}, ndp::plus{}, 0.0F, residual{pointer_to(series), length});
  }
};

}  // namespace thresholds
