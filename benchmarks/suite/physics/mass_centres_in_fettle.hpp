// mass_centres in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "mass_centres.hpp"

namespace suite {
template <>
struct fettle_expression<mass_centres> {
  using weighted = mass_centres::weighted;

  struct weigh {
    FETTLE_HOST_DEVICE weighted operator()(const particle& p) const {
      return {{p.mass * p.x[0], p.mass * p.x[1], p.mass * p.x[2]}, p.mass};
    }
  };
  struct sum {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(mass_centres::add{}, ndp::map(weigh{}, row), weighted{{0, 0, 0}, 0});
    }
  };
  struct divide {
    FETTLE_HOST_DEVICE weighted operator()(const weighted& all) const {
      return mass_centres::result(all);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const particle> p, view<const index> offsets,
                  view<weighted> y) {
    const auto rows = ndp::nest(sequence_of(p), sequence_of(offsets));
    ndp::execute<"mass_centres">(ndp::map(divide{}, ndp::map(sum{}, rows)), sequence_of(y),
                                 platform_of(on));
  }
};

}  // namespace suite
