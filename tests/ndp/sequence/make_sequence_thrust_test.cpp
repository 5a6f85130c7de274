#if __has_include(<thrust/device_vector.h>)
#include "ndp/sequence/thrust_cases.hpp"
#else
#include "support/catch.hpp"
#include "support/skip.hpp"

TEST_CASE("skipped: make sequence thrust") { test::skip_program("needs Thrust"); }
#endif
