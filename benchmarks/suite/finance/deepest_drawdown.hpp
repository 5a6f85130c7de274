// deepest_drawdown: y[0] = the greatest fall of a price from an earlier one; 0 where none falls.
//
// double -> double; combined as (highest, lowest, fall) of 24 bytes, not commutative. In Fettle:
// reduce(follow), of map(price -> (price, price, 0)); then the fall.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct deepest_drawdown {
  struct course {
    double highest;
    double lowest;
    double fall;
  };
  struct follow {
    FETTLE_HOST_DEVICE course operator()(const course& a, const course& b) const {
      return {maximum{}(a.highest, b.highest), minimum{}(a.lowest, b.lowest),
              maximum{}(maximum{}(a.fall, b.fall), a.highest - b.lowest)};
    }
  };
  struct of_one {
    FETTLE_HOST_DEVICE course operator()(double price) const { return {price, price, 0}; }
  };
  FETTLE_HOST_DEVICE static course none() { return {-1e300, 1e300, 0}; }

  static constexpr const char* name = "deepest_drawdown";
  static constexpr const char* types = "double";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = double;
  static constexpr double tolerance = 0;

  static auto make(const shape& like) {
    const index n = like.elements(8);
    double price = 1000;
    const auto prices = filled(n, [&](std::uint64_t i) { return price += fb::unit(i, 1) - 0.5; });
    return problem(n, 1, prices);
  }

  static course course_of(view<const double> x, index first, index last) {
    course all = none();
    for (index i = first; i < last; ++i) {
      all.highest = maximum{}(all.highest, x[i]);
      all.lowest = minimum{}(all.lowest, x[i]);
      all.fall = maximum{}(all.fall, all.highest - x[i]);
    }
    return all;
  }

  static void reference(view<const double> x, view<double> y) {
    y[0] = course_of(x, 0, x.size()).fall;
  }

  static void loop(view<const double> x, view<double> y) {
    std::vector<course> parts(static_cast<std::size_t>(most_threads()), none());
    for_each_part(x.size(), [&](int thread, index first, index last) {
      parts[static_cast<std::size_t>(thread)] = course_of(x, first, last);
    });
    course all = none();
    for (const course& part : parts) all = follow{}(all, part);
    y[0] = all.fall;
  }

#ifdef __CUDACC__
  // The highest price before each by a scan, then the greatest difference.
  static constexpr const char* threads_name = "scan, then fold";
  static void threads(const device& on, view<const double> x, view<double> y) {
    const view<double> highest = on.scratch<double>(0, x.size());
    scan_in_three_passes<4>(
        on, x.size(), -1e300, [=] __device__(index i) { return x[i]; }, maximum{},
        [=] __device__(index i, double before) { highest[i] = before; });
    fold_in_two_passes(
        on, x.size(), 0.0, [=] __device__(index i) { return highest[i] - x[i]; }, maximum{},
        [=] __device__(index, double fall) { y[0] = fall; });
  }

  static constexpr const char* second_name = "two passes, in order";
  static void second(const device& on, view<const double> x, view<double> y) {
    ordered_fold_in_two_passes(
        on, x.size(), none(), [=] __device__(index i) { return of_one{}(x[i]); }, follow{},
        [=] __device__(index, const course& all) { y[0] = all.fall; });
  }
#endif
};

}  // namespace suite
