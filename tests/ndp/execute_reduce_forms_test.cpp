#include "ndp/execute_reduce_forms_cases.hpp"
