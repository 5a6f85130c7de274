#include "ndp/execute/windows_cases.hpp"
