// integral_rows in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "integral_rows.hpp"

namespace suite {

template <>
struct fettle_expression<integral_rows> {
  struct sums {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::scan(ndp::plus{}, row, std::uint32_t{0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> x, index columns,
                  view<std::uint32_t> y) {
    const auto rows = ndp::split(sequence_of(x), columns);
    ndp::execute<"integral_rows">(ndp::map(sums{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
