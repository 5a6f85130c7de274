#include "ndp/execute/map_map_cases.hpp"
#include "support/needs_gpu.hpp"
