// The computations on graphs.
#pragma once

#include "../common/driver.hpp"
#include "common_neighbours.hpp"
#include "common_neighbours_in_fettle.hpp"
#include "edge_contrasts.hpp"
#include "edge_contrasts_in_fettle.hpp"
#include "reach_masks.hpp"
#include "reach_masks_in_fettle.hpp"
#include "relaxed_distances.hpp"
#include "relaxed_distances_in_fettle.hpp"
#include "rich_neighbours.hpp"
#include "rich_neighbours_in_fettle.hpp"

namespace suite {

using all = computations<relaxed_distances, reach_masks, rich_neighbours, edge_contrasts,
                         common_neighbours>;

}  // namespace suite
