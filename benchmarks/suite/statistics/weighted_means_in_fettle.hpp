// weighted_means in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "weighted_means.hpp"

namespace suite {

template <>
struct fettle_expression<weighted_means> {
  using state = weighted_means::sums;

  struct of_one {
    FETTLE_HOST_DEVICE state operator()(float w, float x) const { return {w * x, w}; }
  };
  struct combine_all {
    template <typename... Rows>
    FETTLE_HOST_DEVICE auto operator()(const Rows&... rows) const {
      return ndp::reduce(weighted_means::add{}, ndp::map(of_one{}, rows...), state{0, 0});
    }
  };
  struct result {
    FETTLE_HOST_DEVICE float operator()(const state& all) const {
      return all.weights > 0 ? all.weighted / all.weights : 0;
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> w, view<const float> x,
                  view<const index> offsets, view<float> y) {
    const auto states = ndp::map(combine_all{}, ndp::nest(sequence_of(w), sequence_of(offsets)),
                                 ndp::nest(sequence_of(x), sequence_of(offsets)));
    ndp::execute<"weighted_means">(ndp::map(result{}, states), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
