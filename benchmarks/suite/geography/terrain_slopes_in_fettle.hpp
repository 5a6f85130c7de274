// terrain_slopes in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "terrain_slopes.hpp"

namespace suite {
template <>
struct fettle_expression<terrain_slopes> {
  struct slope {
    template <typename Cells>
    FETTLE_HOST_DEVICE float operator()(const Cells& n) const {
      const int down = n(1, -1) + 2 * n(1, 0) + n(1, 1) - n(-1, -1) - 2 * n(-1, 0) - n(-1, 1);
      const int along = n(-1, 1) + 2 * n(0, 1) + n(1, 1) - n(-1, -1) - 2 * n(0, -1) - n(1, -1);
      return terrain_slopes::degrees<float>(down, along);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::int16_t> x, index rows, index columns,
                  view<float> y) {
    const auto grid = ndp::make_grid(sequence_of(x), rows, columns);
    const auto around = ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::clamp{});
    ndp::execute<"terrain_slopes">(ndp::map(slope{}, around), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
