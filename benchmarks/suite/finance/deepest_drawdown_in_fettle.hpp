// deepest_drawdown in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "deepest_drawdown.hpp"

namespace suite {
template <>
struct fettle_expression<deepest_drawdown> {
  using course = deepest_drawdown::course;

  struct fall {
    FETTLE_HOST_DEVICE double operator()(const course& all) const { return all.fall; }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const double> x, view<double> y) {
    const auto all = sequence_of(on.template scratch<course>(0, 1));
    const auto courses = ndp::map(deepest_drawdown::of_one{}, sequence_of(x));
    ndp::execute<"course_of_prices">(
        ndp::reduce(deepest_drawdown::follow{}, courses, deepest_drawdown::none()), all,
        platform_of(on));
    ndp::execute<"deepest_drawdown">(ndp::map(fall{}, all), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
