// Catch2, version 3 or 2.13, under one name for the tests: its headers, and `approx` for a
// comparison of numbers. With 2.13 main() comes from support/catch_main.cpp, which every test
// program links.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using approx = Catch::Approx;
#else
#include <catch2/catch.hpp>
using approx = Catch::Detail::Approx;
#endif
