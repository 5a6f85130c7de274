// sampled_products: y[k] = dot(u[row[k]], v[column[k]]) for given pairs (row, column) of vectors of
// 16: the product of two dense matrices where a sparse one has elements.
//
// float, int -> float. In Fettle: map > reduce over (row, column), of map(multiplies,
// subsequence(u, 16 row, 16), subsequence(v, 16 column, 16)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct sampled_products {
  static constexpr const char* name = "sampled_products";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;
  static constexpr index width = 16;

  static auto make(const shape& like) {
    const index n = like.elements(44);  // each vector is used four times
    const index vectors = n / 4 + 1;
    return problem(n, n, integers<index>(n, 61, vectors), integers<index>(n, 62, vectors),
                   reals<float>(vectors * width, 63), reals<float>(vectors * width, 64));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index k, view<const index> row, view<const index> column,
                                      view<const float> u, view<const float> v, view<float> y) {
    const float* const left = u.data() + row[k] * width;
    const float* const right = v.data() + column[k] * width;
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index j = 0; j < width; ++j) sum += Real(left[j]) * Real(right[j]);
    y[k] = float(sum);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "4 lanes a pair";
  static void second(const device& on, view<const index> row, view<const index> column,
                     view<const float> u, view<const float> v, view<float> y) {
    const index pairs = row.size();
    for_each_warp(on.stream, (pairs + 7) / 8, [=] __device__(index warp, int lane) {
      const index k = 8 * warp + lane / 4;
      float sum = 0;
      if (k < pairs) {
        const auto* left = reinterpret_cast<const float4*>(u.data() + row[k] * width);
        const auto* right = reinterpret_cast<const float4*>(v.data() + column[k] * width);
        const float4 a = left[lane % 4];
        const float4 b = right[lane % 4];
        sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
      }
      for (const int distance : {1, 2}) sum += __shfl_xor_sync(~0u, sum, distance);
      if (k < pairs && lane % 4 == 0) y[k] = sum;
    });
  }
#endif
};

}  // namespace suite
