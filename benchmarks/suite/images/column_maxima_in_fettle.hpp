// column_maxima in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "column_maxima.hpp"

namespace suite {

template <>
struct fettle_expression<column_maxima> {
  struct greatest {
    template <typename Column>
    FETTLE_HOST_DEVICE auto operator()(const Column& column) const {
      return ndp::reduce(ndp::maximum{}, column, -3e38f);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, index /*rows*/, view<float> y) {
    const auto columns = ndp::transpose(ndp::split(sequence_of(x), y.size()));
    ndp::execute<"column_maxima">(ndp::map(greatest{}, columns), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
