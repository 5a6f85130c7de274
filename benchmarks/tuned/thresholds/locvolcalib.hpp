// LocVolCalib (FinPar): local volatility calibration. In each time step a tridiagonal system for
// every line of a grid along x, and one for every line along y; solved by scans that compose linear
// functions. Two nests at one depth, which are tuned apart: the thesis's figure 1.7.
#pragma once

#include "measuring.hpp"

namespace thresholds {

/// x -> a x + b.
struct linear {
  float a;
  float b;
};

struct compose {
  FETTLE_HOST_DEVICE linear operator()(const linear& first, const linear& then) const {
    return {then.a * first.a, then.a * first.b + then.b};
  }
};

struct locvolcalib {
  static constexpr const char* name = "locvolcalib";

  static index_t elements(const data_set& d) { return d.a * d.b * d.c; }
  static std::vector<data_set> data() {
    return {{"small 16x32x256", false, 16, 32, 256},    {"8x64x64", true, 8, 64, 64},
            {"1x1024x1024", true, 1, 1024, 1024},       {"32x32x128", true, 32, 32, 128},
            {"medium 128x256x32", false, 128, 256, 32}, {"128x64x128", true, 128, 64, 128},
            {"512x16x16", true, 512, 16, 16},           {"1024x128x64", true, 1024, 128, 64},
            {"large 256x256x256", false, 256, 256, 256}};
  }

  struct elimination {
    const float* diagonal;
    const float* right;
    index_t length;
    FETTLE_HOST_DEVICE linear operator()(index_t line, index_t i) const {
      const index_t at = line * length + i;
      return {-0.5F * diagonal[at], right[at]};
    }
  };

  static void run(bench& b) {
    const auto [options, x, y] = std::tuple(b.data.a, b.data.b, b.data.c);
    array<float> diagonal = some_numbers(options * x * y);
    array<float> right = some_numbers(options * x * y);
    const float* d = pointer_to(diagonal);
    const float* r = pointer_to(right);
    b.scans("along x", {options * y, x}, compose{}, linear{1, 0}, elimination{d, r, x});
    b.scans("along y", {options * x, y}, compose{}, linear{1, 0}, elimination{d, r, y});
  }
};

}  // namespace thresholds
