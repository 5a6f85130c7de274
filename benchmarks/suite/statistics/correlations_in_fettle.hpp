// correlations in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "correlations.hpp"

namespace suite {

template <>
struct fettle_expression<correlations> {
  using state = correlations::sums;

  struct of_one {
    FETTLE_HOST_DEVICE state operator()(const correlations::point& p) const {
      return correlations::of(p);
    }
  };
  struct combine_all {
    template <typename... Rows>
    FETTLE_HOST_DEVICE auto operator()(const Rows&... rows) const {
      return ndp::reduce(correlations::add{}, ndp::map(of_one{}, rows...), state{0, 0, 0, 0, 0, 0});
    }
  };
  struct result {
    FETTLE_HOST_DEVICE double operator()(const state& all) const {
      return correlations::result(all);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const correlations::point> x, view<const index> offsets,
                  view<double> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"correlations">(ndp::map(result{}, ndp::map(combine_all{}, rows)), sequence_of(y),
                                 platform_of(on));
  }
};

}  // namespace suite
