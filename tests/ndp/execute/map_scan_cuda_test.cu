#include "ndp/execute/map_scan_cases.hpp"
#include "support/needs_gpu.hpp"
