// envelope in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "envelope.hpp"

namespace suite {
template <>
struct fettle_expression<envelope> {
  template <typename Processor>
  static void run(const Processor& on, view<const envelope::complex> x, view<double> y) {
    ndp::execute<"envelope">(ndp::map(envelope::magnitude{}, sequence_of(x)), sequence_of(y),
                             platform_of(on));
  }
};

}  // namespace suite
