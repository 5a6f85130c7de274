// running_maxima in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "running_maxima.hpp"

namespace suite {

template <>
struct fettle_expression<running_maxima> {
  template <typename Processor>
  static void run(const Processor& on, view<const std::int32_t> x, view<std::int32_t> y) {
    ndp::execute<"running_maxima">(ndp::scan(ndp::maximum{}, sequence_of(x), running_maxima::least),
                                   sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
