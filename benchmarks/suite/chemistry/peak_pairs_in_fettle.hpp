// peak_pairs in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "peak_pairs.hpp"

namespace suite {
template <>
struct fettle_expression<peak_pairs> {
  struct merge : peak_pairs::merge {
    static constexpr bool is_commutative = true;
  };
  struct of_one {
    FETTLE_HOST_DEVICE peak_pairs::pair operator()(float intensity, ndp::index_t at) const {
      return {intensity, -1, static_cast<index>(at), -1};
    }
  };
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      const auto places = ndp::range(0, row.size());
      return ndp::reduce(merge{}, ndp::map(of_one{}, row, places), peak_pairs::none());
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<peak_pairs::pair> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"peak_pairs">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
