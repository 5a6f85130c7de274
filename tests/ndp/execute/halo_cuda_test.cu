#include "ndp/execute/halo_cases.hpp"
#include "support/needs_gpu.hpp"
