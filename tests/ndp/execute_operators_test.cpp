#include "ndp/execute_operators_cases.hpp"
