#include "ndp/execute/scan_cases.hpp"
#include "support/needs_gpu.hpp"
