// two_sided_scaling: b[i][j] = left[i] * a[i][j] * right[j], of a dense matrix.
//
// double -> double. In Fettle: map > map over split(a, columns) and left, with right captured.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct two_sided_scaling {
  static constexpr const char* name = "two_sided_scaling";
  static constexpr const char* types = "double";
  static constexpr family shapes = family::matrices;
  using output = double;
  static constexpr double tolerance = 1e-12;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(16);
    return problem(rows, rows * columns, reals<double>(rows * columns, 51), reals<double>(rows, 52),
                   reals<double>(columns, 53));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const double> a, view<const double> left,
                                      view<const double> right, view<double> b) {
    const index columns = right.size();
    const double factor = left[i];
    const double* const from = a.data() + std::int64_t{i} * columns;
    double* const to = b.data() + std::int64_t{i} * columns;
    for (index j = 0; j < columns; ++j) to[j] = factor * from[j] * right[j];
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread an element";
  static void second(const device& on, view<const double> a, view<const double> left,
                     view<const double> right, view<double> b) {
    for_each_thread(on.stream, a.size(), [=] __device__(index k) {
      b[k] = left[k / right.size()] * a[k] * right[k % right.size()];
    });
  }
#endif
};

}  // namespace suite
