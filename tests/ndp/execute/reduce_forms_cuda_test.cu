#include "ndp/execute/reduce_forms_cases.hpp"
#include "support/needs_gpu.hpp"
