// main() of the test programs. Catch2 3 brings its own (Catch2::Catch2WithMain); 2.13 makes it
// here.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
