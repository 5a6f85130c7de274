// common_neighbours in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "common_neighbours.hpp"

namespace suite {

template <>
struct fettle_expression<common_neighbours> {
  struct search {
    view<const index> all;
    index first;
    index last;
    FETTLE_HOST_DEVICE index operator()(index wanted) const {
      return common_neighbours::contains(all, first, last, wanted);
    }
  };
  struct count {
    view<const index> neighbour;
    view<const index> offsets;
    FETTLE_HOST_DEVICE auto operator()(index u, index v) const {
      const auto others =
          ndp::make_sequence(neighbour.data() + offsets[u], offsets[u + 1] - offsets[u]);
      return ndp::reduce(ndp::plus{},
                         ndp::map(search{neighbour, offsets[v], offsets[v + 1]}, others), 0);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> from, view<const index> neighbour,
                  view<const index> offsets, view<index> y) {
    ndp::execute<"common_neighbours">(
        ndp::map(count{neighbour, offsets}, sequence_of(from), sequence_of(neighbour)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
