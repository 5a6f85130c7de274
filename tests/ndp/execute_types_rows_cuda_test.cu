#include "ndp/execute_types_rows_cases.hpp"
#include "support/needs_gpu.hpp"
