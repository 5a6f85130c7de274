#include "ndp/execute_large_cases.hpp"
