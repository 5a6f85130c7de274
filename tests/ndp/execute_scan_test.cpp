#include "ndp/execute_scan_cases.hpp"
