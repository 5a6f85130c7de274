#include "ndp/execute/bins_and_sorts_cases.hpp"
#include "support/needs_gpu.hpp"
