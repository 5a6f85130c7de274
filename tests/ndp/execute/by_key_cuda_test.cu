#include "ndp/execute/by_key_cases.hpp"
#include "support/needs_gpu.hpp"
