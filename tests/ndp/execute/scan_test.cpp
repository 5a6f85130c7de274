#include "ndp/execute/scan_cases.hpp"
