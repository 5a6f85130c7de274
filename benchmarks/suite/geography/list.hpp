// The computations of geography.
#pragma once

#include "../common/driver.hpp"
#include "horizons.hpp"
#include "horizons_in_fettle.hpp"
#include "nearest_stations.hpp"
#include "nearest_stations_in_fettle.hpp"
#include "parcel_areas.hpp"
#include "parcel_areas_in_fettle.hpp"
#include "terrain_slopes.hpp"
#include "terrain_slopes_in_fettle.hpp"

namespace suite {

using all = computations<nearest_stations, parcel_areas, terrain_slopes, horizons>;

}  // namespace suite
