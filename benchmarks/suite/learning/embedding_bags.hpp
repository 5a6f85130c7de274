// embedding_bags: y[r] = sum of table[id[k]] for k in row r, of vectors of 16.
//
// int, struct of 16 floats (64 bytes) -> struct. In Fettle: map > reduce(add) over a nest, of
// gather(table, row).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct embedding_bags {
  struct vector {
    float at[16];
  };
  struct add {
    FETTLE_HOST_DEVICE vector operator()(const vector& a, const vector& b) const {
      vector sum;
      for (int i = 0; i < 16; ++i) sum.at[i] = a.at[i] + b.at[i];
      return sum;
    }
  };

  static constexpr const char* name = "embedding_bags";
  static constexpr const char* types = "64 bytes";
  static constexpr family shapes = family::rows;
  using output = vector;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-3;

  /// Half of the identifiers are among the first hundredth of the table.
  static auto make(const shape& like) {
    const auto offsets = like.offsets(20);
    const index entries = offsets.back() / 4 + 1;
    const auto id = filled(offsets.back(), [=](std::uint64_t k) {
      const index bound = fb::hash(k, 3) % 2 == 0 ? entries : entries / 100 + 1;
      return static_cast<index>(bound * fb::unit(k, 4));
    });
    const auto table = filled(entries, [](std::uint64_t e) {
      vector v;
      for (std::uint64_t i = 0; i < 16; ++i) v.at[i] = float(fb::unit(16 * e + i, 5));
      return v;
    });
    return problem(rows_of(offsets), rows_of(offsets), id, offsets, table);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const index> id, view<const index> offsets,
                                      view<const vector> table, view<vector> y) {
    Real sum[16] = {};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const vector& one = table[id[k]];
      for (int i = 0; i < 16; ++i) sum[i] += Real(one.at[i]);
    }
    for (int i = 0; i < 16; ++i) y[r].at[i] = float(sum[i]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row, a lane a coordinate";
  static void second(const device& on, view<const index> id, view<const index> offsets,
                     view<const vector> table, view<vector> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index r, int lane) {
      float sum = 0;
      for (index k = offsets[r] + lane / 16; k < offsets[r + 1]; k += 2) {
        sum += table[id[k]].at[lane % 16];
      }
      sum += __shfl_xor_sync(~0u, sum, 16);
      if (lane < 16) y[r].at[lane] = sum;
    });
  }
#endif
};

}  // namespace suite
