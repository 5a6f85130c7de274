// dequantised_weights in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "dequantised_weights.hpp"

namespace suite {
template <>
struct fettle_expression<dequantised_weights> {
  struct scaled {
    float factor;
    FETTLE_HOST_DEVICE float operator()(std::int8_t q) const {
      return factor * static_cast<float>(q);
    }
  };
  struct scaled_group {
    template <typename Group>
    FETTLE_HOST_DEVICE auto operator()(const Group& group, float factor) const {
      return ndp::map(scaled{factor}, group);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::int8_t> q, view<const float> scale,
                  view<float> y) {
    const auto groups = ndp::split(sequence_of(q), dequantised_weights::group);
    ndp::execute<"dequantised_weights">(ndp::map(scaled_group{}, groups, sequence_of(scale)),
                                        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
