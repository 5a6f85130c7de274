#include "ndp/execute/deep_cases.hpp"
