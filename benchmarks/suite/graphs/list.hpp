// The computations on graphs.
#pragma once

#include "../common/driver.hpp"
#include "common_neighbours.hpp"
#include "edge_contrasts.hpp"
#include "reach_masks.hpp"
#include "relaxed_distances.hpp"
#include "rich_neighbours.hpp"

namespace suite {

using all = computations<relaxed_distances, reach_masks, rich_neighbours, edge_contrasts,
                         common_neighbours>;

}  // namespace suite
