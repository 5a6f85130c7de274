#include "ndp/execute_map_scan_cases.hpp"
