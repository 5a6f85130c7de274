// digrams in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "digrams.hpp"

namespace suite {

template <>
struct fettle_expression<digrams> {
  struct pair {
    FETTLE_HOST_DEVICE std::uint16_t operator()(std::uint8_t a, std::uint8_t b) const {
      return static_cast<std::uint16_t>(256 * a + b);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> s, view<std::uint16_t> y) {
    const auto text = sequence_of(s);
    ndp::execute<"digrams">(
        ndp::map(pair{}, ndp::subsequence(text, 0, y.size()), ndp::subsequence(text, 1, y.size())),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
