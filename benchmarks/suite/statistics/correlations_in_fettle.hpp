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

  template <typename Place>
  static void run(const Place& on, view<const correlations::point> x, view<const index> offsets,
                  view<double> y) {
    const auto states = sequence_of(on.template scratch<state>(0, y.size()));
    ndp::execute<"correlations_of_rows">(
        ndp::map(combine_all{}, ndp::nest(sequence_of(x), sequence_of(offsets))), states,
        platform_of(on));
    ndp::execute<"correlations">(ndp::map(result{}, states), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
