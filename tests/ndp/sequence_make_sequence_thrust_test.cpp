#if __has_include(<thrust/device_vector.h>)
#include "ndp/thrust_cases.hpp"
#endif
