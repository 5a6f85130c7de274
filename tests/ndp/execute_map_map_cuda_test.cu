#include "ndp/execute_map_map_cases.hpp"
#include "support/needs_gpu.hpp"
