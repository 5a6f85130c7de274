// row_moments in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "row_moments.hpp"

namespace suite {

template <>
struct fettle_expression<row_moments> {
  using state = row_moments::state;

  struct of_one {
    FETTLE_HOST_DEVICE state operator()(double x) const { return {1, x, 0}; }
  };
  struct combine_all {
    template <typename... Rows>
    FETTLE_HOST_DEVICE auto operator()(const Rows&... rows) const {
      return ndp::reduce(row_moments::merge{}, ndp::map(of_one{}, rows...), state{0, 0, 0});
    }
  };
  struct result {
    FETTLE_HOST_DEVICE row_moments::moments operator()(const state& all) const {
      return row_moments::result(all);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const double> x, view<const index> offsets,
                  view<row_moments::moments> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"row_moments">(ndp::map(result{}, ndp::map(combine_all{}, rows)), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
