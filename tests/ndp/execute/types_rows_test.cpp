#include "ndp/execute/types_rows_cases.hpp"
