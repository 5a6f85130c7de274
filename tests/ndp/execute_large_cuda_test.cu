#include "ndp/execute_large_cases.hpp"
#include "support/needs_gpu.hpp"
