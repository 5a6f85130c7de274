// reach_masks in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "reach_masks.hpp"

namespace suite {

template <>
struct fettle_expression<reach_masks> {
  using set = reach_masks::set;

  struct unite_all {
    ndp::sequence<const set> masks;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& neighbours) const {
      return ndp::reduce(reach_masks::unite{}, ndp::gather(masks, neighbours), set{});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> neighbour, view<const index> offsets,
                  view<const set> masks, view<set> y) {
    const auto rows = ndp::nest(sequence_of(neighbour), sequence_of(offsets));
    ndp::execute<"reach_masks">(ndp::map(unite_all{sequence_of(masks)}, rows), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
