#include "ndp/execute/types_rows_cases.hpp"
#include "support/needs_gpu.hpp"
