#include "ndp/execute/select_cases.hpp"
#include "support/needs_gpu.hpp"
