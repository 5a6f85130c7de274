// The computations of statistics.
#pragma once

#include "../common/driver.hpp"
#include "correlations.hpp"
#include "correlations_in_fettle.hpp"
#include "log_sums.hpp"
#include "log_sums_in_fettle.hpp"
#include "row_moments.hpp"
#include "row_moments_in_fettle.hpp"
#include "row_ranges.hpp"
#include "row_ranges_in_fettle.hpp"
#include "running_maxima.hpp"
#include "running_maxima_in_fettle.hpp"
#include "weighted_means.hpp"
#include "weighted_means_in_fettle.hpp"

namespace suite {

using all =
    computations<row_moments, row_ranges, weighted_means, correlations, running_maxima, log_sums>;

}  // namespace suite
