// candles in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "candles.hpp"

namespace suite {
template <>
struct fettle_expression<candles> {
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& trades) const {
      return ndp::reduce(candles::append{}, ndp::map(candles::of_one{}, trades),
                         candles::candle{0, 0, 0, 0, 0, 0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const candles::trade> x, view<const index> offsets,
                  view<candles::candle> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"candles">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
