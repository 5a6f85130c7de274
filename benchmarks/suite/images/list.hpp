// The computations on images.
#pragma once

#include "../common/driver.hpp"
#include "alpha_blend.hpp"
#include "column_maxima.hpp"
#include "grey_levels.hpp"
#include "integral_rows.hpp"
#include "median_filter.hpp"
#include "resampled_image.hpp"

namespace suite {

using all = computations<grey_levels, median_filter, alpha_blend, column_maxima, resampled_image,
                         integral_rows>;

}  // namespace suite
