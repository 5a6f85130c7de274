#include "ndp/execute/large_cases.hpp"
