// edge_contrasts in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "edge_contrasts.hpp"

namespace suite {

template <>
struct fettle_expression<edge_contrasts> {
  struct contrast {
    FETTLE_HOST_DEVICE float operator()(float w, float a, float b) const {
      return w * std::abs(a - b);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> w, view<const index> from,
                  view<const index> to, view<const float> x, view<float> y) {
    ndp::execute<"edge_contrasts">(
        ndp::map(contrast{}, sequence_of(w), ndp::gather(sequence_of(x), sequence_of(from)),
                 ndp::gather(sequence_of(x), sequence_of(to))),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
