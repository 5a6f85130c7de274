#include "ndp/execute_types_cases.hpp"
