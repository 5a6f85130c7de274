// latest_orders in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "latest_orders.hpp"

namespace suite {
template <>
struct fettle_expression<latest_orders> {
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(latest_orders::later{}, row, latest_orders::order{0, 0, 0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const latest_orders::order> x,
                  view<const index> offsets, view<latest_orders::order> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"latest_orders">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
