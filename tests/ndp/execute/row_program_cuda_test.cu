#include "ndp/execute/row_program_cases.hpp"
#include "support/needs_gpu.hpp"
