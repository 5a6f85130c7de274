// price_bands: y[i] = how many of 64 sorted bounds are at most price[i], by a binary search.
//
// double -> byte. In Fettle: map, of a function that reads the bounds.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#endif

namespace suite {

struct price_bands {
  static constexpr const char* name = "price_bands";
  static constexpr const char* types = "double";
  static constexpr family shapes = family::sizes;
  using output = std::uint8_t;

  static auto make(const shape& like) {
    const index n = like.elements(9);
    const auto bounds = filled(64, [](std::uint64_t b) { return double(b * b) / 4; });
    return problem(n, n, reals<double>(n, 17, -1, 1100), bounds);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const double> price, view<const double> bounds,
                                      view<std::uint8_t> y) {
    index first = 0;
    index count = bounds.size();
    while (count > 0) {
      const index half = count / 2;
      const bool below = bounds[first + half] <= price[i];
      first = below ? first + half + 1 : first;
      count = below ? count - half - 1 : half;
    }
    y[i] = static_cast<std::uint8_t>(first);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "bounds in shared memory";
  static void second(const device& on, view<const double> price, view<const double> bounds,
                     view<std::uint8_t> y) {
    a_thread_each_with_table<price_bands, double, 64>(on.stream, price, bounds, y);
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const double> price, view<const double> bounds,
                      view<std::uint8_t> y) {
    thrust::upper_bound(thrust::cuda::par_nosync.on(on.stream), bounds.begin(), bounds.end(),
                        price.begin(), price.end(), y.begin());
  }
#endif
};

}  // namespace suite
