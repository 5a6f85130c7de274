#include "ndp/execute/by_key_cases.hpp"
