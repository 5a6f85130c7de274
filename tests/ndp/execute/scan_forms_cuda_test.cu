#include "ndp/execute/scan_forms_cases.hpp"
#include "support/needs_gpu.hpp"
