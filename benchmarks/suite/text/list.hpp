// The computations on text.
#pragma once

#include "../common/driver.hpp"
#include "code_points.hpp"
#include "code_points_in_fettle.hpp"
#include "digrams.hpp"
#include "digrams_in_fettle.hpp"
#include "longest_blank_runs.hpp"
#include "longest_blank_runs_in_fettle.hpp"
#include "read_mismatches.hpp"
#include "read_mismatches_in_fettle.hpp"
#include "upper_case.hpp"
#include "upper_case_in_fettle.hpp"
#include "word_hashes.hpp"
#include "word_hashes_in_fettle.hpp"

namespace suite {

using all = computations<word_hashes, longest_blank_runs, upper_case, code_points, read_mismatches,
                         digrams>;

}  // namespace suite
