// joint_rotations in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "joint_rotations.hpp"

namespace suite {
template <>
struct fettle_expression<joint_rotations> {
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(joint_rotations::multiply{}, row, joint_rotations::quaternion{1, 0, 0, 0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const joint_rotations::quaternion> x,
                  view<const index> offsets, view<joint_rotations::quaternion> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"joint_rotations">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
