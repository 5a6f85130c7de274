#include <complex>
#include <limits>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fettle/variant/training/bitwise.hpp>
#include <fettle/variant/training/verification.hpp>

#include "support/catch.hpp"

using fettle::within;

TEST_CASE("numbers agree within a relative and an absolute tolerance") {
  CHECK(within{1e-3}(1000.0, 1000.9));
  CHECK_FALSE(within{1e-3}(1000.0, 1001.1));
  CHECK_FALSE(within{1e-3}(0.0, 1e-12));
  CHECK(within{1e-3, 1e-9}(0.0, 1e-12));
  CHECK(within{}(3, 3));
  CHECK_FALSE(within{}(3, 4));
  CHECK(within{1e-3}(-1.0, -1.0005));
  CHECK_FALSE(within{1e-3}(-1.0, 1.0));
}

TEST_CASE("NaN agrees with NaN alone, infinity with the same infinity alone") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(within{}(nan, nan));
  CHECK_FALSE(within{}(nan, 1.0));
  CHECK_FALSE(within{}(1.0, nan));
  CHECK(within{1.0}(infinity, infinity));
  CHECK_FALSE(within{1.0}(infinity, -infinity));
  CHECK_FALSE(within{1.0}(infinity, 1.0));
}

TEST_CASE("ranges agree element by element and in length, nested too") {
  const std::vector<double> a{1.0, 2.0};
  CHECK(within{1e-6}(a, std::list<float>{1.0F, 2.0F}));
  CHECK_FALSE(within{1e-6}(a, std::vector<double>{1.0}));
  CHECK_FALSE(within{1e-6}(a, std::vector<double>{1.0, 2.1}));
  CHECK(within{}(std::vector<double>{}, std::vector<double>{}));
  const std::vector<std::vector<double>> nested{{1.0}, {2.0, 3.0}};
  CHECK(within{1e-6}(nested, nested));
  CHECK_FALSE(within{1e-6}(nested, std::vector<std::vector<double>>{{1.0}, {2.0, 4.0}}));
}

TEST_CASE("the same bit by bit tells zeros and NaNs apart") {
  using fettle::detail::bitwise_comparable;
  using fettle::detail::same_bits;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(same_bits(nan, nan));
  CHECK_FALSE(same_bits(nan, -nan));
  CHECK_FALSE(same_bits(0.0F, -0.0F));
  CHECK_FALSE(same_bits(1.0, 1.0 + 1e-15));
  const std::vector<double> a{1.0, nan, 0.0};
  CHECK(same_bits(a, std::vector<double>{1.0, nan, 0.0}));
  CHECK_FALSE(same_bits(a, std::vector<double>{1.0, nan, -0.0}));
  CHECK_FALSE(same_bits(a, std::vector<double>{1.0, nan}));
  CHECK(same_bits(std::vector<int>{}, std::vector<int>{}));
  const std::vector<std::vector<float>> nested{{0.0F}, {1.0F}};
  CHECK(same_bits(nested, nested));
  CHECK_FALSE(same_bits(nested, std::vector<std::vector<float>>{{-0.0F}, {1.0F}}));
  CHECK_FALSE(same_bits(std::list<float>{0.0F}, std::list<float>{-0.0F}));
  CHECK_FALSE(same_bits(std::pair{a, 0.0}, std::pair{a, -0.0}));
  CHECK(same_bits(std::tuple{1, std::string("x")}, std::tuple{1, std::string("x")}));
  CHECK_FALSE(same_bits(std::map<int, double>{{1, 0.0}}, std::map<int, double>{{1, -0.0}}));
  CHECK_FALSE(same_bits(std::complex<double>(0.0, 0.0), std::complex<double>(1.0, 0.0)));
  CHECK(same_bits(std::vector<bool>{true, false}, std::vector<bool>{true, false}));
  struct opaque {};
  STATIC_REQUIRE_FALSE(bitwise_comparable<opaque>());
  STATIC_REQUIRE_FALSE(bitwise_comparable<std::list<opaque>>());
  STATIC_REQUIRE(bitwise_comparable<std::vector<opaque>>());
}
