#include "ndp/execute_scan_cases.hpp"
#include "support/needs_gpu.hpp"
