#include "ndp/execute_reduce_cases.hpp"
#include "support/needs_gpu.hpp"
