#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::last_of;
using openmp_cases::lengths;
using openmp_cases::plus_of_user;

namespace {

// fold() and fold_part() of every length from every start against one call after the other.
template <typename Op, typename T>
void check_folds(const Op& op, const std::vector<T>& values) {
  const auto s = make_sequence(values);
  using value_type = accumulator_t<Op, sequence<const T>, T>;
  for (const index_t length : lengths()) {
    if (length > s.size()) break;
    for (const index_t first : {index_t{0}, index_t{3}}) {
      if (first > length) continue;
      INFO("elements " << first << " to " << length);
      auto expected = static_cast<value_type>(T(3));
      for (index_t i = first; i < length; ++i) expected = op(expected, s[i]);
      CHECK(host::detail::fold(op, s, first, length, static_cast<value_type>(T(3))) == expected);
      CHECK(host::detail::fold_in_order(op, s, first, length, static_cast<value_type>(T(3)),
                                        true) == expected);
      if (first == length) continue;
      auto part = static_cast<value_type>(s[first]);
      for (index_t i = first + 1; i < length; ++i) part = op(part, s[i]);
      CHECK(host::detail::fold_part<value_type>(op, s, first, length) == part);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("folds of every type equal the same calls one by one", "", double, float,
                   std::int8_t, std::int32_t, std::uint64_t) {
  const auto values = ndp_test::made_up<TestType>(1000);
  check_folds(plus{}, values);
  check_folds(minimum{}, values);
  check_folds(maximum{}, values);
  check_folds(last_of{}, values);
  check_folds(plus_of_user{}, values);
  if constexpr (std::is_integral_v<TestType>) {
    check_folds(bit_and{}, values);
    check_folds(bit_or{}, values);
    check_folds(bit_xor{}, values);
  }
  std::vector<TestType> factors(1000, TestType(1));
  factors[7] = factors[400] = TestType(3);
  check_folds(multiplies{}, factors);
}

TEST_CASE("which operators work by vectors, and which never may") {
  STATIC_REQUIRE(host::detail::lane_operation<plus, double>);
  STATIC_REQUIRE(host::detail::lane_operation<bit_xor, std::int8_t>);
  STATIC_REQUIRE(!host::detail::lane_operation<plus, affine>);
  STATIC_REQUIRE(!host::detail::lane_operation<plus_of_user, double>);
  STATIC_REQUIRE(!host::detail::lane_operation<last_of, double>);
  STATIC_REQUIRE(!host::detail::lane_operation<logical_or, bool>);
}

TEST_CASE("a fold keeps the order of an operator that does not commute") {
  const auto maps = ndp_test::made_up<affine>(700);
  const auto s = make_sequence(maps);
  for (const index_t length : {47, 48, 51, 128, 131, 200, 263, 700}) {
    affine expected{5, 6};
    for (index_t i = 0; i < length; ++i) expected = compose{}(expected, s[i]);
    CAPTURE(length);
    CHECK(host::detail::fold(compose{}, s, 0, length, affine{5, 6}) == expected);
  }
}

TEST_CASE("numbers that a function makes of narrower ones are added up in blocks") {
  struct times_seven {
    std::int32_t operator()(std::int8_t x) const { return 7 * x; }
  };
  const auto bytes = ndp_test::made_up<std::int8_t>(700);
  const auto wide = map(times_seven{}, make_sequence(bytes));
  STATIC_REQUIRE(host::detail::widens_v<std::remove_const_t<decltype(wide)>, std::int32_t>);
  STATIC_REQUIRE(!host::detail::widens_v<std::remove_const_t<decltype(wide)>, std::int8_t>);
  for (const index_t first : {0, 3}) {
    for (const index_t length : {0, 63, 64, 127, 128, 130, 191, 192, 300, 690}) {
      std::int32_t sum = 4;
      std::int32_t least = 4;
      for (index_t i = first; i < first + length; ++i) {
        sum += wide[i];
        least = minimum{}(least, wide[i]);
      }
      CAPTURE(first, length);
      CHECK(host::detail::fold(plus{}, wide, first, first + length, std::int32_t{4}) == sum);
      CHECK(host::detail::fold(minimum{}, wide, first, first + length, std::int32_t{4}) == least);
    }
  }
}

TEMPLATE_TEST_CASE("minimum and maximum pass over what is not a number, wherever it is", "", double,
                   float) {
  for (const std::size_t length : {3U, 20U, 27U, 31U, 60U, 100U}) {
    for (std::size_t at = 0; at < length; ++at) {
      std::vector<TestType> values(length, TestType(2));
      values[at] = std::numeric_limits<TestType>::quiet_NaN();
      const auto s = make_sequence(values);
      INFO(at << " of " << length);
      CHECK(host::detail::fold(minimum{}, s, 0, s.size(), TestType(5)) == TestType(2));
      CHECK(host::detail::fold_part<TestType>(maximum{}, s, 0, s.size()) == TestType(2));
    }
  }
}

TEST_CASE("a fold reads views as it reads memory") {
  const auto values = ndp_test::made_up<double>(500);
  const auto s = make_sequence(values);
  // A length that the compiler sees.
  CHECK(host::detail::fold(plus{}, map(multiplies{}, s, s), 3, 19, 1.0) ==
        host::detail::fold_in_order(plus{}, map(multiplies{}, s, s), 3, 19, 1.0));
  const auto twice = map(plus{}, s, reverse(s));
  CHECK(host::detail::fold(plus{}, twice, 0, 500, 0.0) ==
        2 * host::detail::fold(plus{}, s, 0, 500, 0.0));
}

TEMPLATE_TEST_CASE("assign writes the asked elements and no others", "", double, float, std::int8_t,
                   std::int64_t) {
  const auto values = ndp_test::made_up<TestType>(100);
  for (const index_t last : {0, 1, 2, 3, 17, 63, 64, 99, 100}) {
    for (const index_t first : {0, 1, 5}) {
      if (first > last) continue;
      std::vector<TestType> out(100, TestType(9));
      host::detail::assign(make_sequence(out), map(negate{}, make_sequence(values)), first, last);
      bool right = true;
      for (index_t i = 0; i < 100; ++i) {
        const auto at = static_cast<std::size_t>(i);
        right = right && out[at] == (i >= first && i < last ? static_cast<TestType>(-values[at])
                                                            : TestType(9));
      }
      INFO(first << " to " << last);
      CHECK(right);
    }
  }
}
