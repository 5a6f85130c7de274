#if __has_include(<thrust/device_vector.h>)
#include "ndp/sequence/thrust_cases.hpp"
#else
#include "support/skip.hpp"

[[maybe_unused]] const bool skipped = test::skip_program("needs Thrust");
#endif
