#include "ndp/sequence/thrust_cases.hpp"
#include "support/needs_gpu.hpp"
