// frame_energies in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "frame_energies.hpp"

namespace suite {
template <>
struct fettle_expression<frame_energies> {
  struct energy {
    FETTLE_HOST_DEVICE float operator()(float c, std::int16_t x) const {
      const float value = c * static_cast<float>(x);
      return value * value;
    }
  };
  struct of_frame {
    ndp::sequence<const std::int16_t> x;
    ndp::sequence<const float> c;
    FETTLE_HOST_DEVICE auto operator()(index f) const {
      const auto frame = ndp::subsequence(x, frame_energies::hop * f, frame_energies::width);
      return ndp::reduce(ndp::plus{}, ndp::map(energy{}, c, frame), 0.0f);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::int16_t> x, view<const float> c,
                  view<float> y) {
    ndp::execute<"frame_energies">(
        ndp::map(of_frame{sequence_of(x), sequence_of(c)}, ndp::range(0, y.size())), sequence_of(y),
        platform_of(on));
  }
};

}  // namespace suite
