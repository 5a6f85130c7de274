// rich_neighbours in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "rich_neighbours.hpp"

namespace suite {

template <>
struct fettle_expression<rich_neighbours> {
  struct is_rich {
    view<const index> offsets;
    index own;
    FETTLE_HOST_DEVICE index operator()(index other) const {
      return offsets[other + 1] - offsets[other] >= own ? 1 : 0;
    }
  };
  struct count {
    view<const index> offsets;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& neighbours, index v) const {
      return ndp::reduce(ndp::plus{},
                         ndp::map(is_rich{offsets, offsets[v + 1] - offsets[v]}, neighbours), 0);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> neighbour, view<const index> offsets,
                  view<index> y) {
    const auto rows = ndp::nest(sequence_of(neighbour), sequence_of(offsets));
    ndp::execute<"rich_neighbours">(ndp::map(count{offsets}, rows, ndp::range(0, y.size())),
                                    sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
