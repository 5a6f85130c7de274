#include "ndp/execute/reduce_cases.hpp"
#include "support/needs_gpu.hpp"
