#include "ndp/tuned/training_cases.hpp"
#include "support/needs_gpu.hpp"
