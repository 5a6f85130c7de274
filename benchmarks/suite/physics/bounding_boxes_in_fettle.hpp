// bounding_boxes in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "bounding_boxes.hpp"

namespace suite {
template <>
struct fettle_expression<bounding_boxes> {
  struct box_of_one {
    FETTLE_HOST_DEVICE bounding_boxes::box operator()(const bounding_boxes::point& p) const {
      return {{p.at[0], p.at[1], p.at[2]}, {p.at[0], p.at[1], p.at[2]}};
    }
  };
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(bounding_boxes::unite{}, ndp::map(box_of_one{}, row),
                         bounding_boxes::empty());
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const bounding_boxes::point> x,
                  view<const index> offsets, view<bounding_boxes::box> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"bounding_boxes">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
