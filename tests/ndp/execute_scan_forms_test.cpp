#include "ndp/execute_scan_forms_cases.hpp"
