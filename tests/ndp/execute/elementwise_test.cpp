#include "ndp/execute/elementwise_cases.hpp"
