#include "ndp/execute/reduce_forms_cases.hpp"
