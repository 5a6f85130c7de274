#include "ndp/execute/approximated_cases.hpp"
#include "support/needs_gpu.hpp"
