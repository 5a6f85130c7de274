// record_offsets in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "record_offsets.hpp"

namespace suite {
template <>
struct fettle_expression<record_offsets> {
  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> length, view<std::int64_t> y) {
    ndp::execute<"record_offsets">(ndp::scan(ndp::plus{}, sequence_of(length), std::int64_t{0}),
                                   sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
