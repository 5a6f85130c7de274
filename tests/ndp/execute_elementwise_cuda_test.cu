#include "ndp/execute_elementwise_cases.hpp"
#include "support/needs_gpu.hpp"
