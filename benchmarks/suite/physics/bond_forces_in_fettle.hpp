// bond_forces in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "bond_forces.hpp"

namespace suite {
template <>
struct fettle_expression<bond_forces> {
  using vector = bond_forces::vector;

  struct force {
    vector own;
    FETTLE_HOST_DEVICE vector operator()(const vector& other) const {
      const float d[3] = {other.at[0] - own.at[0], other.at[1] - own.at[1],
                          other.at[2] - own.at[2]};
      const float inverse = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.1f);
      const float strength = inverse * inverse * inverse * inverse - inverse * inverse;
      return {{strength * d[0], strength * d[1], strength * d[2]}};
    }
  };
  struct sum_of_forces {
    ndp::sequence<const vector> x;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& neighbours, const vector& own) const {
      return ndp::reduce(bond_forces::add{}, ndp::map(force{own}, ndp::gather(x, neighbours)),
                         vector{});
    }
  };
  struct divide {
    FETTLE_HOST_DEVICE vector operator()(const vector& sum, index first, index last) const {
      const float scale = 1 / static_cast<float>(1 + last - first);
      return {{sum.at[0] * scale, sum.at[1] * scale, sum.at[2] * scale}};
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> neighbour, view<const index> offsets,
                  view<const vector> x, view<vector> y) {
    const auto rows = ndp::nest(sequence_of(neighbour), sequence_of(offsets));
    const auto bounds = sequence_of(offsets);
    const auto sums = ndp::map(sum_of_forces{sequence_of(x)}, rows, sequence_of(x));
    ndp::execute<"bond_forces">(ndp::map(divide{}, sums, ndp::subsequence(bounds, 0, y.size()),
                                         ndp::subsequence(bounds, 1, y.size())),
                                sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
