// bond_forces: y[r] = sum of (1 / s^4 - 1 / s^2) d over the n neighbours k of atom r, where d =
// x[k] - x[r] and s = |d|^2 + 0.1, divided by 1 + n.
//
// struct of 3 floats (12 bytes), int -> struct; a division an element. In Fettle: map > reduce(add)
// over a nest and x, of map(force, gather(x, row)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct bond_forces {
  struct vector {
    float at[3];
  };
  struct add {
    FETTLE_HOST_DEVICE vector operator()(const vector& a, const vector& b) const {
      return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2]}};
    }
  };

  static constexpr const char* name = "bond_forces";
  static constexpr const char* types = "12 bytes";
  static constexpr family shapes = family::rows;
  using output = vector;
  using component = float;
  using real = float;
  static constexpr double tolerance = 2e-3;

  /// Neighbours lie near each other in memory; the atoms form a line of about unit distances.
  static auto make(const shape& like) {
    const auto offsets = like.offsets(5);
    const index atoms = rows_of(offsets);
    const auto own = row_indices(offsets);
    const auto neighbour = filled(offsets.back(), [&](std::uint64_t k) {
      const index near = own[k] + 1 + static_cast<index>(fb::hash(k, 1) % 100);
      return near % atoms;
    });
    const auto x = filled(atoms, [](std::uint64_t r) {
      return vector{{float(r % 128), float(fb::unit(r, 2)), float(fb::unit(r, 3))}};
    });
    return problem(atoms, atoms, neighbour, offsets, x);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const index> neighbour,
                                      view<const index> offsets, view<const vector> x,
                                      view<vector> y) {
    const vector own = x[r];
    Real sum[3] = {};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const vector other = x[neighbour[k]];
      Real d[3];
      for (int i = 0; i < 3; ++i) d[i] = Real(other.at[i]) - Real(own.at[i]);
      const Real inverse = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + Real(0.1));
      const Real square = inverse * inverse;
      for (int i = 0; i < 3; ++i) sum[i] += (square * square - square) * d[i];
    }
    const Real scale = 1 / Real(1 + offsets[r + 1] - offsets[r]);
    y[r] = {{float(sum[0] * scale), float(sum[1] * scale), float(sum[2] * scale)}};
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const index> neighbour, view<const index> offsets,
                     view<const vector> x, view<vector> y) {
    a_warp_a_row(
        on.stream, offsets, vector{},
        [=] __device__(index r, index k) {
          const vector a = x[r];
          const vector b = x[neighbour[k]];
          const vector d{{b.at[0] - a.at[0], b.at[1] - a.at[1], b.at[2] - a.at[2]}};
          const float inverse =
              1 / (d.at[0] * d.at[0] + d.at[1] * d.at[1] + d.at[2] * d.at[2] + 0.1f);
          const float square = inverse * inverse;
          const float f = square * square - square;
          return vector{{f * d.at[0], f * d.at[1], f * d.at[2]}};
        },
        add{},
        [=] __device__(index r, const vector& sum) {
          const float scale = 1 / float(1 + offsets[r + 1] - offsets[r]);
          y[r] = {{sum.at[0] * scale, sum.at[1] * scale, sum.at[2] * scale}};
        });
  }
#endif
};

}  // namespace suite
