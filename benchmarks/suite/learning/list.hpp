// The computations of machine learning.
#pragma once

#include "../common/driver.hpp"
#include "adam_steps.hpp"
#include "dequantised_weights.hpp"
#include "embedding_bags.hpp"
#include "gelu.hpp"
#include "nearest_centroids.hpp"
#include "normalised_rows.hpp"
#include "stump_votes.hpp"

namespace suite {

using all = computations<nearest_centroids, embedding_bags, normalised_rows, adam_steps, gelu,
                         stump_votes, dequantised_weights>;

}  // namespace suite
