#include "ndp/execute/types_cases.hpp"
