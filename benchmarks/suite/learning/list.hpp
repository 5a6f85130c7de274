// The computations of machine learning.
#pragma once

#include "../common/driver.hpp"
#include "adam_steps.hpp"
#include "adam_steps_in_fettle.hpp"
#include "dequantised_weights.hpp"
#include "dequantised_weights_in_fettle.hpp"
#include "embedding_bags.hpp"
#include "embedding_bags_in_fettle.hpp"
#include "gelu.hpp"
#include "gelu_in_fettle.hpp"
#include "nearest_centroids.hpp"
#include "nearest_centroids_in_fettle.hpp"
#include "normalised_rows.hpp"
#include "normalised_rows_in_fettle.hpp"
#include "stump_votes.hpp"
#include "stump_votes_in_fettle.hpp"

namespace suite {

using all = computations<nearest_centroids, embedding_bags, normalised_rows, adam_steps, gelu,
                         stump_votes, dequantised_weights>;

}  // namespace suite
