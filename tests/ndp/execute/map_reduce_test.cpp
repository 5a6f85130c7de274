#include "ndp/execute/map_reduce_cases.hpp"
