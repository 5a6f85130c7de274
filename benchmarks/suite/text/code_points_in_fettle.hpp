// code_points in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "code_points.hpp"

namespace suite {

template <>
struct fettle_expression<code_points> {
  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> s, view<index> y) {
    ndp::execute<"code_points">(
        ndp::reduce(ndp::plus{}, ndp::map(code_points::begins{}, sequence_of(s)), 0),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
