// linear_recurrence in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "linear_recurrence.hpp"

namespace suite {
template <>
struct fettle_expression<linear_recurrence> {
  using affine = linear_recurrence::affine;

  template <typename Processor>
  static void run(const Processor& on, view<const affine> x, view<float> y) {
    const auto maps = sequence_of(on.template scratch<affine>(0, x.size()));
    ndp::execute<"composed_maps">(
        ndp::scan(linear_recurrence::then{}, sequence_of(x), affine{1, 0}), maps, platform_of(on));
    ndp::execute<"linear_recurrence">(ndp::map(linear_recurrence::at_one{}, maps), sequence_of(y),
                                      platform_of(on));
  }
};

}  // namespace suite
