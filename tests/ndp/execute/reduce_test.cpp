#include "ndp/execute/reduce_cases.hpp"
