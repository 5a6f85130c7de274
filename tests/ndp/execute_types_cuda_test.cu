#include "ndp/execute_types_cases.hpp"
#include "support/needs_gpu.hpp"
