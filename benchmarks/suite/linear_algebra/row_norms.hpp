// row_norms: y[r] = sqrt(sum of x[k]^2 for k in row r).
//
// float -> float. In Fettle: map > reduce over a nest, of map(square, row).
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace suite {

struct row_norms {
  static constexpr const char* name = "row_norms";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  // A thread's sum of 700 000 floats, one after the other, is off by 1e-4.
  static constexpr double tolerance = 2e-4;

  static auto make(const shape& like) {
    auto offsets = like.offsets(4);
    return problem(rows_of(offsets), rows_of(offsets), reals<float>(offsets.back(), 1, -1),
                   offsets);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<float> y) {
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) sum += Real(x[k]) * Real(x[k]);
    y[r] = float(std::sqrt(sum));
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<float> y) {
    a_warp_a_row(
        on.stream, offsets, 0.0f, [=] __device__(index, index k) { return x[k] * x[k]; }, plus{},
        [=] __device__(index r, float sum) { y[r] = sqrtf(sum); });
  }

  struct square {
    __host__ __device__ float operator()(float value) const { return value * value; }
  };
  static constexpr const char* library_name = "cub, then roots";
  static void library(const device& on, view<const float> x, view<const index> offsets,
                      view<float> y) {
    const auto squares = thrust::make_transform_iterator(x.data(), square{});
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceSegmentedReduce::Sum(storage, bytes, squares, y.data(), y.size(),
                                             offsets.data(), offsets.data() + 1, on.stream);
    });
    for_each_thread(on.stream, y.size(), [=] __device__(index r) { y[r] = sqrtf(y[r]); });
  }
#endif
};

}  // namespace suite
