#include "ndp/execute/deep_cases.hpp"
#include "support/needs_gpu.hpp"
