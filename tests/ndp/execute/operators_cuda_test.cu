#include "ndp/execute/operators_cases.hpp"
#include "support/needs_gpu.hpp"
