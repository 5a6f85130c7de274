#include "ndp/execute/program_cases.hpp"
#include "ndp/execute/program_pass_cases.hpp"
#include "support/needs_gpu.hpp"
