// A field of squared points is smoothed and bent: exactly, or with rows left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace smoothing {

struct field {
  std::size_t side;
  std::vector<float> value;

  /// Waves of some length: long ones are smooth, and rows can be left out.
  static field draw(std::mt19937_64& random) {
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<>(low, high)(random);
    };
    field made{static_cast<std::size_t>(std::exp(between(std::log(96), std::log(384)))), {}};
    const double waves = std::exp(between(std::log(0.5), std::log(100)));
    const double tilt = between(0.3, 1);
    for (std::size_t i = 0; i < made.side * made.side; ++i) {
      const double scale = 6.28 / static_cast<double>(made.side);
      const double x = static_cast<double>(i / made.side) * scale;
      const double y = static_cast<double>(i % made.side) * scale;
      made.value.push_back(
          static_cast<float>(2 + std::sin(waves * x * tilt) * std::cos(waves * y)));
    }
    return made;
  }

  /// Mean change from one row to the next, of 64 points, over the mean: what tells of the error.
  double roughness() const {
    double change = 0;
    double sum = 0;
    for (std::size_t s = 0; s < 64; ++s) {
      const std::size_t at = (1 + s * (side - 3) / 64) * side + s * 37 % side;
      change += std::fabs(value[at + side] - value[at]);
      sum += std::fabs(value[at]);
    }
    return change / sum + 1e-6;
  }
};

/// Every `Step`-th row is computed; those between take what the one before has.
template <std::size_t Step>
void smooth(const field& in, std::span<float> out) {
  const std::size_t n = in.side;
  const float* const v = in.value.data();
  std::copy(v, v + n * n, out.begin());
  for (std::size_t i = 1; i + 1 < n; i += Step) {
    for (std::size_t j = 1; j + 1 < n; ++j) {
      const std::size_t at = i * n + j;
      const float mean = 0.5F * v[at] + 0.125F * (v[at - 1] + v[at + 1] + v[at - n] + v[at + n]);
      const float bent = std::sqrt(mean * mean + 1e-3F) + std::exp(-mean * mean);
      for (std::size_t k = i; k < std::min(i + Step, n - 1); ++k) out[k * n + j] = bent;
    }
  }
}

/// Of two fields, relative to the exact one.
inline double error(std::span<const float> exact, std::span<const float> out) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::pow(exact[i] - out[i], 2);
    norm += std::pow(exact[i], 2);
  }
  return std::sqrt(difference / norm);
}

}  // namespace smoothing
