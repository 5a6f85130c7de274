// resampled_image in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "resampled_image.hpp"

namespace suite {

template <>
struct fettle_expression<resampled_image> {
  struct value_at {
    view<const float> x;
    index rows;
    index columns;
    FETTLE_HOST_DEVICE float operator()(const ndp::tuple<index, index>& at) const {
      return resampled_image::at<float>(x, rows, columns, ndp::get<0>(at), ndp::get<1>(at));
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, index rows, index columns,
                  view<float> y) {
    ndp::execute<"resampled_image">(
        ndp::map(value_at{x, rows, columns},
                 ndp::join(ndp::range(0, rows), ndp::range(0, columns))),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
