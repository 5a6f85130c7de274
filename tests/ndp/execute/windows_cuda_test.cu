#include "ndp/execute/windows_cases.hpp"
#include "support/needs_gpu.hpp"
