// tone_powers: y[r] = |sum of x[k] exp(-i w t)|^2 / n^2 over the n elements of row r, t the index
// of k in it, modulo 65536: the power of one frequency.
//
// float -> float; a sine and a cosine an element, combined as complex numbers of 8 bytes. In
// Fettle: map > reduce over a nest and range(0, rows), of map over the row and range(0, its
// length); then the squared magnitude.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct tone_powers {
  struct complex {
    float re;
    float im;
  };
  struct add {
    FETTLE_HOST_DEVICE complex operator()(const complex& a, const complex& b) const {
      return {a.re + b.re, a.im + b.im};
    }
  };
  static constexpr double frequency = 0.01;

  static constexpr const char* name = "tone_powers";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 2e-3;

  /// The tone itself and noise; angles are below 1000.
  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const auto x = filled(offsets.back(), [](std::uint64_t k) {
      return float(std::sin(frequency * double(k)) + fb::unit(k, 9) - 0.5);
    });
    return problem(rows_of(offsets), rows_of(offsets), x, offsets);
  }

  /// The sample with this value at index t.
  template <typename Real>
  FETTLE_HOST_DEVICE static Real angle(index t) {
    return Real(frequency) * Real(t % 65536);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<float> y) {
    const index first = offsets[r];
    const index length = offsets[r + 1] - first;
    Real re = 0;
    Real im = 0;
    for (index t = 0; t < length; ++t) {
      re += Real(x[first + t]) * std::cos(angle<Real>(t));
      im -= Real(x[first + t]) * std::sin(angle<Real>(t));
    }
    const Real scale = 1 / Real(length > 0 ? length : 1);
    y[r] = float((re * re + im * im) * scale * scale);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<float> y) {
    a_warp_a_row(
        on.stream, offsets, complex{0, 0},
        [=] __device__(index r, index k) {
          float sine = 0;
          float cosine = 0;
          sincosf(angle<float>(k - offsets[r]), &sine, &cosine);
          return complex{x[k] * cosine, -x[k] * sine};
        },
        add{},
        [=] __device__(index r, const complex& sum) {
          const float scale = 1 / float(max(offsets[r + 1] - offsets[r], 1));
          y[r] = (sum.re * sum.re + sum.im * sum.im) * scale * scale;
        });
  }
#endif
};

}  // namespace suite
