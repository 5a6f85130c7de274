// two_sided_scaling in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "two_sided_scaling.hpp"

namespace suite {

template <>
struct fettle_expression<two_sided_scaling> {
  struct scale {
    double factor;
    FETTLE_HOST_DEVICE double operator()(double a, double right) const {
      return factor * a * right;
    }
  };
  struct scale_row {
    ndp::sequence<const double> right;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row, double left) const {
      return ndp::map(scale{left}, row, right);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const double> a, view<const double> left,
                  view<const double> right, view<double> b) {
    const auto rows = ndp::split(sequence_of(a), right.size());
    ndp::execute<"two_sided_scaling">(
        ndp::map(scale_row{sequence_of(right)}, rows, sequence_of(left)), sequence_of(b),
        platform_of(on));
  }
};

}  // namespace suite
