// alpha_blend in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "alpha_blend.hpp"

namespace suite {

template <>
struct fettle_expression<alpha_blend> {
  using pixel = alpha_blend::pixel;

  struct blend {
    FETTLE_HOST_DEVICE pixel operator()(pixel over, pixel under) const {
      const pixel alpha = over >> 24;
      const pixel green = alpha_blend::mixed(over >> 8, under >> 8, alpha) & 0xFF;
      return 0xFF000000 | alpha_blend::mixed(over, under, alpha) | green << 8;
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const pixel> over, view<const pixel> under,
                  view<pixel> y) {
    ndp::execute<"alpha_blend">(ndp::map(blend{}, sequence_of(over), sequence_of(under)),
                                sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
