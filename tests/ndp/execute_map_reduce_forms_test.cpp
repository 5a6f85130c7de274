#include "ndp/execute_map_reduce_forms_cases.hpp"
