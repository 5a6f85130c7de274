#include "ndp/execute_reduce_forms_cases.hpp"
#include "support/needs_gpu.hpp"
