// row_ranges: y[r] = (least, greatest) of row r; (3e38, -3e38) where it is empty.
//
// float -> struct of 2 floats. In Fettle: map > reduce over a nest, of map(x -> (x, x)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct row_ranges {
  struct range {
    float least;
    float greatest;
  };
  struct unite {
    FETTLE_HOST_DEVICE range operator()(const range& a, const range& b) const {
      return {b.least < a.least ? b.least : a.least,
              a.greatest < b.greatest ? b.greatest : a.greatest};
    }
  };

  static constexpr const char* name = "row_ranges";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = range;
  using component = float;
  static constexpr double tolerance = 0;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(4);
    return problem(rows_of(offsets), rows_of(offsets), reals<float>(offsets.back(), 2, -9, 9),
                   offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<range> y) {
    float least = 3e38f;
    float greatest = -3e38f;
#pragma omp simd reduction(min : least) reduction(max : greatest)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      least = x[k] < least ? x[k] : least;
      greatest = greatest < x[k] ? x[k] : greatest;
    }
    y[r] = {least, greatest};
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<range> y) {
    a_warp_a_row(
        on.stream, offsets, range{3e38f, -3e38f},
        [=] __device__(index, index k) { return range{x[k], x[k]}; }, unite{},
        [=] __device__(index r, const range& all) { y[r] = all; });
  }
#endif
};

}  // namespace suite
