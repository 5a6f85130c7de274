// lattice_collisions in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "lattice_collisions.hpp"

namespace suite {
template <>
struct fettle_expression<lattice_collisions> {
  using cell = lattice_collisions::cell;

  struct collide {
    FETTLE_HOST_DEVICE cell operator()(const cell& old) const {
      return lattice_collisions::collided<float>(old);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const cell> x, view<cell> y) {
    ndp::execute<"lattice_collisions">(ndp::map(collide{}, sequence_of(x)), sequence_of(y),
                                       platform_of(on));
  }
};

}  // namespace suite
