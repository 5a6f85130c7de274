#include "ndp/execute_by_key_cases.hpp"
