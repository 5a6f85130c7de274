// horizons in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "horizons.hpp"

namespace suite {
template <>
struct fettle_expression<horizons> {
  struct slope {
    float eye;
    FETTLE_HOST_DEVICE float operator()(std::int16_t height, ndp::index_t distance) const {
      return (static_cast<float>(height) - eye) / static_cast<float>(distance);
    }
  };
  struct of_ray {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& heights, float eye) const {
      const auto distances = ndp::range(1, heights.size() + 1);
      return ndp::scan(ndp::maximum{}, ndp::map(slope{eye}, heights, distances), horizons::least);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::int16_t> height, view<const index> offsets,
                  view<const float> eye, view<float> y) {
    const auto rays = ndp::nest(sequence_of(height), sequence_of(offsets));
    ndp::execute<"horizons">(ndp::map(of_ray{}, rays, sequence_of(eye)), sequence_of(y),
                             platform_of(on));
  }
};

}  // namespace suite
