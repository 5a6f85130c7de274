// The computations of statistics.
#pragma once

#include "../common/driver.hpp"
#include "correlations.hpp"
#include "log_sums.hpp"
#include "row_moments.hpp"
#include "row_ranges.hpp"
#include "running_maxima.hpp"
#include "weighted_means.hpp"

namespace suite {

using all =
    computations<row_moments, row_ranges, weighted_means, correlations, running_maxima, log_sums>;

}  // namespace suite
