// The computations on images.
#pragma once

#include "../common/driver.hpp"
#include "alpha_blend.hpp"
#include "alpha_blend_in_fettle.hpp"
#include "column_maxima.hpp"
#include "column_maxima_in_fettle.hpp"
#include "grey_levels.hpp"
#include "grey_levels_in_fettle.hpp"
#include "integral_rows.hpp"
#include "integral_rows_in_fettle.hpp"
#include "median_filter.hpp"
#include "median_filter_in_fettle.hpp"
#include "resampled_image.hpp"
#include "resampled_image_in_fettle.hpp"

namespace suite {

using all = computations<grey_levels, median_filter, alpha_blend, column_maxima, resampled_image,
                         integral_rows>;

}  // namespace suite
