// row_norms in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "row_norms.hpp"

namespace suite {

struct square_of {
  FETTLE_HOST_DEVICE float operator()(float x) const { return x * x; }
};
struct root_of_squares {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(square_of{}, row), 0.0f);
  }
};
struct root {
  FETTLE_HOST_DEVICE float operator()(float x) const { return std::sqrt(x); }
};

template <>
struct fettle_expression<row_norms> {
  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<float> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"row_norms">(ndp::map(root{}, ndp::map(root_of_squares{}, rows)), sequence_of(y),
                              platform_of(on));
  }
};

}  // namespace suite
