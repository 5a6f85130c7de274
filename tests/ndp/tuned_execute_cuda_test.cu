#include "ndp/tuned_execute_cases.hpp"
#include "support/needs_gpu.hpp"
