#include "ndp/execute_deep_cases.hpp"
#include "support/needs_gpu.hpp"
