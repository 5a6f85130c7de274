// decoded_strings in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "decoded_strings.hpp"

namespace suite {
template <>
struct fettle_expression<decoded_strings> {
  using string = decoded_strings::string;

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint16_t> code,
                  view<const string> dictionary, view<string> y) {
    ndp::execute<"decoded_strings">(ndp::gather(sequence_of(dictionary), sequence_of(code)),
                                    sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
