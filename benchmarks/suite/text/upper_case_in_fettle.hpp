// upper_case in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "upper_case.hpp"

namespace suite {

template <>
struct fettle_expression<upper_case> {
  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> s, view<std::uint8_t> y) {
    ndp::execute<"upper_case">(ndp::map(upper_case::upper{}, sequence_of(s)), sequence_of(y),
                               platform_of(on));
  }
};

}  // namespace suite
