// row_moments: y[r] = (mean, variance) of row r; zeros where it is empty.
//
// double -> struct of 2 doubles; combined as (count, mean, sum of squared distances) of 24 bytes,
// with a division. In Fettle: map > reduce(merge) over a nest, of map(x -> (1, x, 0)); then (mean,
// m2 / count).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct row_moments {
  struct moments {
    double mean;
    double variance;
  };
  struct state {
    double count;
    double mean;
    double m2;
  };
  /// Chan, Golub and LeVeque's.
  struct merge {
    FETTLE_HOST_DEVICE state operator()(const state& a, const state& b) const {
      const double count = a.count + b.count;
      if (!(count > 0)) return a;
      const double distance = b.mean - a.mean;
      const double part = b.count / count;
      return {count, a.mean + distance * part, a.m2 + b.m2 + distance * distance * a.count * part};
    }
  };
  FETTLE_HOST_DEVICE static moments result(const state& all) {
    return {all.mean, all.count > 0 ? all.m2 / all.count : 0};
  }

  static constexpr const char* name = "row_moments";
  static constexpr const char* types = "double";
  static constexpr family shapes = family::rows;
  using output = moments;
  using component = double;
  static constexpr double tolerance = 1e-9;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    return problem(rows_of(offsets), rows_of(offsets), reals<double>(offsets.back(), 1, 5, 7),
                   offsets);
  }

  /// In two passes over the row.
  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const double> x, view<const index> offsets,
                                      view<moments> y) {
    const index first = offsets[r];
    const index last = offsets[r + 1];
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index k = first; k < last; ++k) sum += x[k];
    const double mean = last > first ? sum / (last - first) : 0;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (index k = first; k < last; ++k) squares += (x[k] - mean) * (x[k] - mean);
    y[r] = {mean, last > first ? squares / (last - first) : 0};
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const double> x, view<const index> offsets,
                     view<moments> y) {
    a_warp_a_row(
        on.stream, offsets, state{0, 0, 0},
        [=] __device__(index, index k) { return state{1, x[k], 0}; }, merge{},
        [=] __device__(index r, const state& all) { y[r] = result(all); });
  }
#endif
};

}  // namespace suite
