#include "ndp/execute/types_cases.hpp"
#include "support/needs_gpu.hpp"
