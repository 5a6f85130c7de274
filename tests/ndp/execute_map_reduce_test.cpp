#include "ndp/execute_map_reduce_cases.hpp"
