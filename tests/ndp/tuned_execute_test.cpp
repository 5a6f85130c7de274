#include "ndp/tuned_execute_cases.hpp"
