#include "ndp/execute_map_map_cases.hpp"
