// gelu in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "gelu.hpp"

namespace suite {
template <>
struct fettle_expression<gelu> {
  struct activation {
    FETTLE_HOST_DEVICE float operator()(float x) const { return gelu::activation{}(x); }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<float> y) {
    ndp::execute<"gelu">(ndp::map(activation{}, sequence_of(x)), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
