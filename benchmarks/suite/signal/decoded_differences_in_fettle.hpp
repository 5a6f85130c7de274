// decoded_differences in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "decoded_differences.hpp"

namespace suite {
template <>
struct fettle_expression<decoded_differences> {
  struct sums {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::scan(ndp::plus{}, row, std::int32_t{0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::int16_t> d, view<const index> offsets,
                  view<std::int32_t> y) {
    const auto rows = ndp::nest(sequence_of(d), sequence_of(offsets));
    ndp::execute<"decoded_differences">(ndp::map(sums{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
