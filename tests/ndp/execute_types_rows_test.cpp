#include "ndp/execute_types_rows_cases.hpp"
