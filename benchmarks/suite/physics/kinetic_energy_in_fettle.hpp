// kinetic_energy in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "kinetic_energy.hpp"

namespace suite {
template <>
struct fettle_expression<kinetic_energy> {
  template <typename Processor>
  static void run(const Processor& on, view<const particle> x, view<double> y) {
    ndp::execute<"kinetic_energy">(
        ndp::reduce(ndp::plus{}, ndp::map(kinetic_energy::energy{}, sequence_of(x)), 0.0),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
