#include "ndp/tuned/execute_cases.hpp"
#include "support/needs_gpu.hpp"
