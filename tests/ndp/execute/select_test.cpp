#include "ndp/execute/select_cases.hpp"
