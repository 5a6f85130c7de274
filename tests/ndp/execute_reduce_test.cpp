#include "ndp/execute_reduce_cases.hpp"
