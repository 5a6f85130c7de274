// tone_powers in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "tone_powers.hpp"

namespace suite {
template <>
struct fettle_expression<tone_powers> {
  using complex = tone_powers::complex;

  struct turned {
    FETTLE_HOST_DEVICE complex operator()(float x, index t) const {
      float sine = 0;
      float cosine = 0;
      ::sincosf(tone_powers::angle<float>(t), &sine, &cosine);
      return {x * cosine, -x * sine};
    }
  };
  struct sum {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      const auto indices = ndp::range(index{0}, static_cast<index>(row.size()));
      return ndp::reduce(tone_powers::add{}, ndp::map(turned{}, row, indices), complex{0, 0});
    }
  };
  struct power {
    FETTLE_HOST_DEVICE float operator()(const complex& z, index first, index last) const {
      const float scale = 1 / static_cast<float>(last > first ? last - first : 1);
      return (z.re * z.re + z.im * z.im) * scale * scale;
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<float> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    const auto bounds = sequence_of(offsets);
    ndp::execute<"tone_powers">(
        ndp::map(power{}, ndp::map(sum{}, rows), ndp::subsequence(bounds, 0, y.size()),
                 ndp::subsequence(bounds, 1, y.size())),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
