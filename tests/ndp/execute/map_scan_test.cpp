#include "ndp/execute/map_scan_cases.hpp"
