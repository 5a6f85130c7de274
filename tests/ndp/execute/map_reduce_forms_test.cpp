#include "ndp/execute/map_reduce_forms_cases.hpp"
