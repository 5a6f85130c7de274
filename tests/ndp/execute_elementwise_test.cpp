#include "ndp/execute_elementwise_cases.hpp"
