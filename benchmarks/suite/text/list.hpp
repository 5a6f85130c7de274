// The computations on text.
#pragma once

#include "../common/driver.hpp"
#include "code_points.hpp"
#include "digrams.hpp"
#include "longest_blank_runs.hpp"
#include "read_mismatches.hpp"
#include "upper_case.hpp"
#include "word_hashes.hpp"

namespace suite {

using all = computations<word_hashes, longest_blank_runs, upper_case, code_points, read_mismatches,
                         digrams>;

}  // namespace suite
