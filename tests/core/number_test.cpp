#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>

#include <fettle/core/number.hpp>

#include "support/catch.hpp"
#include "support/comma_locale.hpp"

using fettle::number_text;
using fettle::parse_number;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

static_assert(fettle::is_finite(0.0) && fettle::is_finite(-1e308) && fettle::is_finite(5e-324));
static_assert(!fettle::is_finite(infinity) && !fettle::is_finite(-infinity));
static_assert(!fettle::is_finite(quiet_nan) && fettle::is_nan(quiet_nan) &&
              fettle::is_nan(-quiet_nan));
static_assert(!fettle::is_nan(infinity) && !fettle::is_nan(0.0));

TEST_CASE("numbers are written in their shortest form") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e300) == "1e+300");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
  CHECK(number_text(infinity) == "inf");
  CHECK(number_text(-infinity) == "-inf");
  CHECK(number_text(quiet_nan) == "nan");
}

TEST_CASE("every double reads back to itself") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!fettle::is_finite(value)) continue;
    const auto read = parse_number<double>(number_text(value));
    REQUIRE(read.has_value());
    REQUIRE(std::bit_cast<std::uint64_t>(*read) == std::bit_cast<std::uint64_t>(value));
  }
}

TEST_CASE("only a whole number is a number") {
  CHECK(parse_number<double>("1.5") == 1.5);
  CHECK(parse_number<double>("-0x") == std::nullopt);
  for (const char* text : {"", " 1", "1 ", "+1", "1,5", "0x10", "one", "1e", "--1", "1e999"}) {
    INFO(text);
    CHECK(parse_number<double>(text) == std::nullopt);
  }
  CHECK(parse_number<unsigned>("-1") == std::nullopt);
  CHECK(parse_number<std::uint8_t>("256") == std::nullopt);
  CHECK(parse_number<int>("1.0") == std::nullopt);
}

TEST_CASE("the program's locale changes nothing") {
  {
    const test::comma_locale commas;
    REQUIRE((std::ostringstream() << 1234.5).str() == "1.234,5");
    CHECK(number_text(1234.5) == "1234.5");
    CHECK(number_text(1234567) == "1234567");
    CHECK(parse_number<double>("1234.5") == 1234.5);
    CHECK(parse_number<double>("0,5") == std::nullopt);
  }
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    CHECK(number_text(0.5) == "0.5");
    CHECK(parse_number<double>("0.5") == 0.5);
  }
  std::setlocale(LC_ALL, before.c_str());
}
