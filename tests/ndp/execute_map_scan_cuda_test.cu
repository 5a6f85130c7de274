#include "ndp/execute_map_scan_cases.hpp"
#include "support/needs_gpu.hpp"
