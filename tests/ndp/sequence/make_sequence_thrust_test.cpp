#include "ndp/sequence/thrust_cases.hpp"
