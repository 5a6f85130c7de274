// Inputs of the six computations, drawn at random: sizes, and what makes approximation easy or
// hard.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace approximate {

using generator = std::mt19937_64;

inline double between(generator& random, double low, double high) {
  return std::uniform_real_distribution<>(low, high)(random);
}
inline double log_between(generator& random, double low, double high) {
  return std::exp(between(random, std::log(low), std::log(high)));
}

/// Relative difference of two vectors by their Euclidean norm: the error of most computations here.
struct relative_error {
  template <typename Vector>
  double operator()(const Vector& exact, const Vector& out) const {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double by = static_cast<double>(exact[i]) - static_cast<double>(out[i]);
      difference += by * by;
      norm += static_cast<double>(exact[i]) * static_cast<double>(exact[i]);
    }
    return norm > 0 ? std::sqrt(difference / norm) : (difference > 0 ? 1.0 : 0.0);
  }
};

/// k-means: points of `dimensions` coordinates each, and the centres that label them.
struct clouds {
  std::size_t points;
  std::size_t dimensions;
  std::size_t centres;
  std::vector<float> point;   // a row a point
  std::vector<float> centre;  // a row a centre

  static clouds draw(generator& random) {
    clouds made{static_cast<std::size_t>(log_between(random, 500, 4000)), 32, 16, {}, {}};
    const double spread = log_between(random, 0.05, 3);
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < made.centres * made.dimensions; ++i) {
      made.centre.push_back(normal(random));
    }
    for (std::size_t i = 0; i < made.points; ++i) {
      const std::size_t from = random() % made.centres * made.dimensions;
      for (std::size_t j = 0; j < made.dimensions; ++j) {
        made.point.push_back(made.centre[from + j] + static_cast<float>(spread) * normal(random));
      }
    }
    return made;
  }

  double squared(std::size_t i, std::size_t c) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimensions; ++j) {
      const double by = point[i * dimensions + j] - centre[c * dimensions + j];
      sum += by * by;
    }
    return sum;
  }
  /// How much nearer the nearest centre is than the next one, of some points: 1 is a tie.
  double contrast() const {
    double sum = 0;
    for (std::size_t s = 0; s < 16; ++s) {
      const std::size_t i = s * points / 16;
      double first = 1e300;
      double second = 1e300;
      for (std::size_t c = 0; c < centres; ++c) {
        const double here = squared(i, c);
        second = std::min(second, std::max(first, here));
        first = std::min(first, here);
      }
      sum += first / second;
    }
    return sum / 16;
  }
};

/// Fraction of labels that differ.
struct mislabelled {
  double operator()(std::span<const int> exact, std::span<const int> out) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) count += exact[i] != out[i] ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(exact.size());
  }
};

/// Monte Carlo: a European call on one asset, by paths whose numbers are the same for all variants.
struct option_contract {
  double volatility;
  double strike;  // of a price of 1
  double rate;

  static option_contract draw(generator& random) {
    return {between(random, 0.05, 0.6), between(random, 0.7, 1.3), between(random, 0.0, 0.05)};
  }
};

/// Stencil: a field of `side` squared points, waves of several lengths.
struct field {
  std::size_t side;
  std::vector<float> value;

  static field draw(generator& random) {
    field made{static_cast<std::size_t>(log_between(random, 128, 512)), {}};
    const double rough = log_between(random, 0.5, 100);  // waves across the field
    made.value.resize(made.side * made.side);
    const double phase = between(random, 0, 6.28);
    const double tilt = between(random, 0.3, 1);
    for (std::size_t i = 0; i < made.side; ++i) {
      for (std::size_t j = 0; j < made.side; ++j) {
        const double x = 6.28 * static_cast<double>(i) / static_cast<double>(made.side);
        const double y = 6.28 * static_cast<double>(j) / static_cast<double>(made.side);
        made.value[i * made.side + j] =
            static_cast<float>(2 + std::sin(rough * x * tilt + phase) * std::cos(rough * y));
      }
    }
    return made;
  }
  /// Mean change from one row to the next over the mean, of some points.
  double roughness() const {
    double change = 0;
    double sum = 0;
    for (std::size_t s = 0; s < 64; ++s) {
      const std::size_t row = 1 + s * (side - 3) / 64;
      const std::size_t at = row * side + (s * 37) % side;
      change += std::fabs(value[at + side] - value[at]);
      sum += std::fabs(value[at]);
    }
    return change / sum + 1e-6;
  }
};

/// Histogram: numbers in [0, 1), more or less evenly spread.
struct numbers {
  std::size_t bins;
  std::vector<float> value;

  static numbers draw(generator& random) {
    numbers made{std::size_t{1} << (4 + random() % 5), {}};
    const double power = between(random, 1, 6);
    const auto count = static_cast<std::size_t>(log_between(random, 2e4, 1e6));
    for (std::size_t i = 0; i < count; ++i) {
      made.value.push_back(
          static_cast<float>(std::min(0.999999, std::pow(between(random, 0, 1), power))));
    }
    return made;
  }
};

/// Solver: a symmetric positive definite band matrix, as a diffusion with a reaction gives it.
struct band_system {
  std::size_t rows;
  double reaction;  // the larger, the better conditioned
  std::vector<double> right;

  static band_system draw(generator& random) {
    band_system made{static_cast<std::size_t>(log_between(random, 1000, 8000)),
                     log_between(random, 1e-4, 1),
                     {}};
    for (std::size_t i = 0; i < made.rows; ++i) made.right.push_back(between(random, 0.5, 1.5));
    return made;
  }
};

/// n-body: particles in a box whose forces are screened: they fall as exp(-r / length) / r^2.
struct particles {
  std::size_t count;
  float length;
  std::vector<float> x, y, z;

  static particles draw(generator& random) {
    particles made{static_cast<std::size_t>(log_between(random, 300, 1500)),
                   static_cast<float>(log_between(random, 0.01, 0.5)),
                   {},
                   {},
                   {}};
    for (std::vector<float>* axis : {&made.x, &made.y, &made.z}) {
      for (std::size_t i = 0; i < made.count; ++i) {
        axis->push_back(static_cast<float>(between(random, 0, 1)));
      }
    }
    // In the order of slabs of x, so that what is out of reach can be skipped.
    std::sort(made.x.begin(), made.x.end());
    return made;
  }
};

}  // namespace approximate
