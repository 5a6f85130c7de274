// pair_energies in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "pair_energies.hpp"

namespace suite {
template <>
struct fettle_expression<pair_energies> {
  template <typename Processor>
  static void run(const Processor& on, view<const index> first, view<const index> second,
                  view<const pair_energies::atom> x, view<double> y) {
    const auto atoms = sequence_of(x);
    const auto energies = ndp::map(pair_energies::energy{}, ndp::gather(atoms, sequence_of(first)),
                                   ndp::gather(atoms, sequence_of(second)));
    ndp::execute<"pair_energies">(ndp::reduce(ndp::plus{}, energies, 0.0), sequence_of(y),
                                  platform_of(on));
  }
};

}  // namespace suite
