#include "ndp/execute/operators_cases.hpp"
