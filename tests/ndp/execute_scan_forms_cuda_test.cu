#include "ndp/execute_scan_forms_cases.hpp"
#include "support/needs_gpu.hpp"
