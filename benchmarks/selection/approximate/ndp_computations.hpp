// Three computations of the nested data-parallel layer, approximated by the knobs of their
// policies: the densities of a sample at many places (a sum over part of it), prices along a curve
// (every k-th one computed), and the mean squares of long rows (sums of part of each).
#pragma once

#include <cmath>
#include <cstdint>

#include <fettle/ndp.hpp>

namespace approximate {

namespace ndp = fettle::ndp;
using numbers_read = ndp::sequence<const double>;
using numbers_written = ndp::sequence<double>;

/// What one element of the sample adds to the density at a place.
struct kernel_at {
  double place;
  double inverse_width;
  FETTLE_HOST_DEVICE double operator()(double x) const {
    const double by = (x - place) * inverse_width;
    return exp(-0.5 * by * by);
  }
};
struct density_at {
  numbers_read sample;
  double inverse_width;
  FETTLE_HOST_DEVICE auto operator()(double place) const {
    return ndp::reduce(ndp::plus{}, ndp::map(kernel_at{place, inverse_width}, sample), 0.0);
  }
};

/// The price of a European call, by Black and Scholes.
struct price_of_call {
  double volatility;
  double rate;
  FETTLE_HOST_DEVICE double operator()(double strike) const {
    const double d1 = (-log(strike) + rate) / volatility + 0.5 * volatility;
    const double d2 = d1 - volatility;
    return 0.5 * erfc(-d1 * 0.7071067811865476) -
           strike * exp(-rate) * 0.5 * erfc(-d2 * 0.7071067811865476);
  }
};

struct square {
  FETTLE_HOST_DEVICE double operator()(double x) const { return x * x; }
};
struct sum_of_squares {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(square{}, row), 0.0);
  }
};

/// One input of a computation: the sequences are where the platform computes.
struct ndp_input {
  numbers_read read;
  numbers_read places;
  double parameter;  // width, volatility, or length of a row
  double difficulty;
  numbers_written out;
};

struct densities {
  [[nodiscard]] auto operator()(const ndp_input& in) const {
    return ndp::map(density_at{in.read, 1 / in.parameter}, in.places);
  }
};
struct prices {
  [[nodiscard]] auto operator()(const ndp_input& in) const {
    return ndp::map(price_of_call{in.parameter, 0.02}, in.read);
  }
};
struct row_squares {
  [[nodiscard]] auto operator()(const ndp_input& in) const {
    return ndp::map(sum_of_squares{}, ndp::split(in.read, static_cast<ndp::index_t>(in.parameter)));
  }
};

// ---- inputs, drawn where they are read ------------------------------------------------------

/// A number in (0, 1) for each counter (Steele et al., SplitMix64).
FETTLE_HOST_DEVICE inline double uniform_at(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z ^= z >> 31U;
  return (static_cast<double>(z >> 11U) + 0.5) * 0x1p-53;
}
/// About normally distributed.
FETTLE_HOST_DEVICE inline double normal_at(std::uint64_t counter) {
  double sum = 0;
  for (std::uint64_t k = 0; k < 4; ++k) sum += uniform_at(4 * counter + k);
  return 1.7320508 * (sum - 2);
}
struct draw_sample {
  std::uint64_t seed;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t i) const {
    const auto at = seed + static_cast<std::uint64_t>(i);
    return normal_at(at) * 0.5 + (uniform_at(~at) < 0.3 ? -1.0 : 1.0);
  }
};
struct draw_places {
  double step;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t i) const {
    return -2 + step * static_cast<double>(i);
  }
};
struct draw_strikes {
  double waves_an_element;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t i) const {
    return 1 + 0.3 * sin(6.283185307 * waves_an_element * static_cast<double>(i));
  }
};
struct draw_spread {
  std::uint64_t seed;
  double spread;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t i) const {
    return exp(spread * normal_at(seed + static_cast<std::uint64_t>(i)));
  }
};

}  // namespace approximate
