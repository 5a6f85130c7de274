#include "ndp/execute/map_reduce_cases.hpp"
#include "support/needs_gpu.hpp"
