#include "ndp/tuned_training_cases.hpp"
#include "support/needs_gpu.hpp"
