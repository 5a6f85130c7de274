#include "ndp/execute/row_program_cases.hpp"
