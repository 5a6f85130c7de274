#include "ndp/execute_operators_cases.hpp"
#include "support/needs_gpu.hpp"
