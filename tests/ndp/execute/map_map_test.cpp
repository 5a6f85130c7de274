#include "ndp/execute/map_map_cases.hpp"
