// chain_products: y[r] = the product of the 4 x 4 matrices of row r, from left to right.
//
// struct of 16 floats (64 bytes) -> struct; not commutative, 112 operations an element. In Fettle:
// map > reduce(multiply) over a nest, seed the identity.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct chain_products {
  struct matrix {
    float at[4][4];
  };
  template <typename Real>
  struct wide {
    Real at[4][4];
  };
  struct multiply {
    FETTLE_HOST_DEVICE matrix operator()(const matrix& a, const matrix& b) const {
      matrix c{};
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
          for (int j = 0; j < 4; ++j) c.at[i][j] += a.at[i][k] * b.at[k][j];
        }
      }
      return c;
    }
  };
  FETTLE_HOST_DEVICE static matrix identity() {
    return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  }

  static constexpr const char* name = "chain_products";
  static constexpr const char* types = "64 bytes";
  static constexpr family shapes = family::rows;
  using output = matrix;
  using component = float;
  using real = float;
  static constexpr double tolerance = 2e-2;  // of half a million factors

  /// Rotations, so that products neither grow nor vanish: two planes, an angle each.
  static auto make(const shape& like) {
    auto offsets = like.offsets(64);
    auto factors = filled(offsets.back(), [](std::uint64_t k) {
      const double a = 6 * fb::unit(k, 71);
      const double b = 6 * fb::unit(k, 72);
      const auto c = [](double angle) { return float(std::cos(angle)); };
      const auto s = [](double angle) { return float(std::sin(angle)); };
      matrix m = {
          {{c(a), -s(a), 0, 0}, {s(a), c(a), 0, 0}, {0, 0, c(b), -s(b)}, {0, 0, s(b), c(b)}}};
      if (k % 2 == 1)
        m = {{{c(a), 0, -s(a), 0}, {0, c(b), 0, s(b)}, {s(a), 0, c(a), 0}, {0, -s(b), 0, c(b)}}};
      return m;
    });
    return problem(rows_of(offsets), rows_of(offsets), factors, offsets);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const matrix> x, view<const index> offsets,
                                      view<matrix> y) {
    wide<Real> all = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    for (index n = offsets[r]; n < offsets[r + 1]; ++n) {
      wide<Real> next{};
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
          for (int j = 0; j < 4; ++j) next.at[i][j] += all.at[i][k] * Real(x[n].at[k][j]);
        }
      }
      all = next;
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) y[r].at[i][j] = float(all.at[i][j]);
    }
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const matrix> x, view<const index> offsets,
                     view<matrix> y) {
    an_ordered_warp_a_row(
        on.stream, offsets, identity(), [=] __device__(index, index k) { return x[k]; }, multiply{},
        [=] __device__(index r, const matrix& product) { y[r] = product; });
  }
#endif
};

}  // namespace suite
