#include "ndp/execute/large_cases.hpp"
#include "support/needs_gpu.hpp"
