// adam_steps in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "adam_steps.hpp"

namespace suite {
template <>
struct fettle_expression<adam_steps> {
  using state = adam_steps::state;

  struct step_of_one {
    FETTLE_HOST_DEVICE state operator()(float p, float g, float m, float v) const {
      const float first = 0.9f * m + 0.1f * g;
      const float second = 0.99f * v + 0.01f * g * g;
      return {p - 0.001f * first / (std::sqrt(second) + 1e-8f), first, second};
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> p, view<const float> g,
                  view<const float> m, view<const float> v, view<state> y) {
    ndp::execute<"adam_steps">(
        ndp::map(step_of_one{}, sequence_of(p), sequence_of(g), sequence_of(m), sequence_of(v)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
