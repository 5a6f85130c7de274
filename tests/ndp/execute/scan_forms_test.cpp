#include "ndp/execute/scan_forms_cases.hpp"
