#include "ndp/execute/elementwise_cases.hpp"
#include "support/needs_gpu.hpp"
