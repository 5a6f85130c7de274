// leapfrog_steps in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "leapfrog_steps.hpp"

namespace suite {
template <>
struct fettle_expression<leapfrog_steps> {
  struct advance {
    FETTLE_HOST_DEVICE particle operator()(const particle& p) const {
      return leapfrog_steps::advanced<float>(p);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const particle> x, view<particle> y) {
    ndp::execute<"leapfrog_steps">(ndp::map(advance{}, sequence_of(x)), sequence_of(y),
                                   platform_of(on));
  }
};

}  // namespace suite
