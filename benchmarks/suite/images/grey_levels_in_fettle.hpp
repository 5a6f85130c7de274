// grey_levels in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "grey_levels.hpp"

namespace suite {

template <>
struct fettle_expression<grey_levels> {
  template <typename Processor>
  static void run(const Processor& on, view<const grey_levels::pixel> x, view<std::uint8_t> y) {
    ndp::execute<"grey_levels">(ndp::map(grey_levels::level{}, sequence_of(x)), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
