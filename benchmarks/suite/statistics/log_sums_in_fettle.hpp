// log_sums in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "log_sums.hpp"

namespace suite {

template <>
struct fettle_expression<log_sums> {
  using state = log_sums::state;

  struct of_one {
    FETTLE_HOST_DEVICE state operator()(float x) const { return {x, 1}; }
  };
  struct combine_all {
    template <typename... Rows>
    FETTLE_HOST_DEVICE auto operator()(const Rows&... rows) const {
      return ndp::reduce(log_sums::merge{}, ndp::map(of_one{}, rows...), state{-3e38f, 0});
    }
  };
  struct result {
    FETTLE_HOST_DEVICE float operator()(const state& all) const { return log_sums::result(all); }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<float> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"log_sums">(ndp::map(result{}, ndp::map(combine_all{}, rows)), sequence_of(y),
                             platform_of(on));
  }
};

}  // namespace suite
