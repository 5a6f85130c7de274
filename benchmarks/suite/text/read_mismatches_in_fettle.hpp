// read_mismatches in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "read_mismatches.hpp"

namespace suite {

template <>
struct fettle_expression<read_mismatches> {
  struct differs {
    FETTLE_HOST_DEVICE index operator()(std::uint8_t a, std::uint8_t b) const {
      return a != b ? 1 : 0;
    }
  };
  struct count {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& a, const Row& b) const {
      return ndp::reduce(ndp::plus{}, ndp::map(differs{}, a, b), 0);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> a, view<const std::uint8_t> b,
                  view<const index> offsets, view<index> y) {
    ndp::execute<"read_mismatches">(
        ndp::map(count{}, ndp::nest(sequence_of(a), sequence_of(offsets)),
                 ndp::nest(sequence_of(b), sequence_of(offsets))),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
