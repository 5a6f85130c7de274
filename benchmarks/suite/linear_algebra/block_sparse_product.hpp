// block_sparse_product: y[r] = sum of a[k] * x[column[k]] for k in row r, where a[k] is a 4 x 4
// matrix and x[c], y[r] are vectors of 4.
//
// struct of 16 floats (64 bytes), struct of 4 floats, int -> struct of 4 floats. In Fettle: map >
// reduce over two nests, of map(multiply, row, gather(x, columns)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct block_sparse_product {
  struct block {
    float at[4][4];
  };
  struct vector {
    float at[4];
  };
  struct add {
    FETTLE_HOST_DEVICE vector operator()(const vector& a, const vector& b) const {
      return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]}};
    }
  };

  static constexpr const char* name = "block_sparse_product";
  static constexpr const char* types = "64 bytes";
  static constexpr family shapes = family::rows;
  using output = vector;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-3;

  static auto make(const shape& like) {
    auto offsets = like.offsets(68);
    const index columns = rows_of(offsets);
    auto blocks = filled(offsets.back(), [](std::uint64_t k) {
      block b;
      for (std::uint64_t i = 0; i < 16; ++i) b.at[i / 4][i % 4] = float(fb::unit(16 * k + i, 41));
      return b;
    });
    auto column = integers<index>(offsets.back(), 42, columns);
    auto x = filled(columns, [](std::uint64_t c) {
      vector v;
      for (std::uint64_t i = 0; i < 4; ++i) v.at[i] = float(fb::unit(4 * c + i, 43));
      return v;
    });
    return problem(columns, columns, blocks, column, offsets, x);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const block> a, view<const index> column,
                                      view<const index> offsets, view<const vector> x,
                                      view<vector> y) {
    Real sum[4] = {};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const vector factor = x[column[k]];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sum[i] += Real(a[k].at[i][j]) * Real(factor.at[j]);
      }
    }
    y[r] = {{float(sum[0]), float(sum[1]), float(sum[2]), float(sum[3])}};
  }

#ifdef __CUDACC__
  // Lane 16 b + 4 i + j takes element (i, j) of every second block.
  static constexpr const char* second_name = "a warp a row, a lane an element";
  static void second(const device& on, view<const block> a, view<const index> column,
                     view<const index> offsets, view<const vector> x, view<vector> y) {
    for_each_warp(on.stream, offsets.size() - 1, [=] __device__(index r, int lane) {
      const int i = lane / 4 % 4;
      const int j = lane % 4;
      float sum = 0;
      for (index k = offsets[r] + lane / 16; k < offsets[r + 1]; k += 2) {
        sum += a[k].at[i][j] * x[column[k]].at[j];
      }
      for (const int distance : {1, 2, 16}) sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane < 16 && j == 0) y[r].at[i] = sum;
    });
  }
#endif
};

}  // namespace suite
