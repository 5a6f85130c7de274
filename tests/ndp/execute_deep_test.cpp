#include "ndp/execute_deep_cases.hpp"
