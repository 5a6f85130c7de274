#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include <fettle/ndp/base/function.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;

namespace {

template <typename Op, typename A, typename B>
using result = std::invoke_result_t<const Op&, A, B>;

static_assert(std::is_same_v<result<ndp::plus, float, double>, double>);
static_assert(std::is_same_v<result<ndp::plus, std::int8_t, std::int8_t>, int>);
static_assert(std::is_same_v<result<ndp::minimum, std::int8_t, std::int8_t>, std::int8_t>);
static_assert(std::is_same_v<result<ndp::bit_or, std::uint8_t, std::uint8_t>, std::uint8_t>);
static_assert(std::is_same_v<result<ndp::bit_or, int, std::uint8_t>, int>);
static_assert(!std::is_invocable_v<ndp::bit_and, float, float>);
static_assert(std::is_empty_v<ndp::plus> && std::is_trivially_copyable_v<ndp::plus>);

// What is known of operators.
struct unknown {
  int operator()(int a, int b) const { return a + b; }
};
struct subtraction : unknown {
  static constexpr bool is_associative = false;
};
static_assert(ndp::is_associative_v<unknown> && !ndp::is_commutative_v<unknown>);
static_assert(!ndp::is_associative_v<subtraction>);
static_assert(!ndp::is_associative_v<ndp::minus> && !ndp::is_associative_v<ndp::divides>);
static_assert(!ndp::is_commutative_v<ndp_test::compose>);
template <typename... Ops>
constexpr bool known = ((ndp::is_associative_v<Ops> && ndp::is_commutative_v<Ops>) && ...);
static_assert(known<ndp::plus, ndp::multiplies, ndp::minimum, ndp::maximum, ndp::bit_and,
                    ndp::bit_or, ndp::bit_xor, ndp::logical_and, ndp::logical_or>);

// An identity is claimed only where it is one: particle{1} would be no one.
static_assert(ndp::has_identity_v<ndp::plus, float> && !ndp::has_identity_v<unknown, int>);
static_assert(!ndp::has_identity_v<ndp::plus, ndp_test::particle>);
static_assert(!ndp::has_identity_v<ndp::multiplies, ndp_test::particle>);
static_assert(!ndp::has_identity_v<ndp::minimum, ndp_test::particle>);
static_assert(!ndp::has_identity_v<ndp::bit_and, float>);

template <typename Op, typename T>
void identity_is_neutral(std::initializer_list<T> values) {
  for (const T x : values) {
    constexpr T e = ndp::identity_v<Op, T>;
    CHECK((Op{}(e, x) == x && Op{}(x, e) == x));
  }
}

}  // namespace

TEST_CASE("identities are neutral, at the ends of types too") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    using limits = std::numeric_limits<T>;
    const std::initializer_list<T> values = {T(0), T(5), limits::lowest(), limits::max()};
    identity_is_neutral<ndp::plus, T>(values);
    identity_is_neutral<ndp::multiplies, T>(values);
    identity_is_neutral<ndp::minimum, T>(values);
    identity_is_neutral<ndp::maximum, T>(values);
    if constexpr (std::is_integral_v<T>) {
      identity_is_neutral<ndp::bit_and, T>(values);
      identity_is_neutral<ndp::bit_or, T>(values);
      identity_is_neutral<ndp::bit_xor, T>(values);
    }
  });
  const double infinity = std::numeric_limits<double>::infinity();
  identity_is_neutral<ndp::minimum, double>({infinity, -infinity});
  identity_is_neutral<ndp::maximum, double>({infinity, -infinity});
  identity_is_neutral<ndp::logical_and, bool>({true, false});
  identity_is_neutral<ndp::logical_or, bool>({true, false});
}

TEST_CASE("operators agree with the standard library's") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const T a : ndp_test::made_up<T>(20, 1)) {
      for (const T b : ndp_test::made_up<T>(20, 2)) {
        REQUIRE(ndp::plus{}(a, b) == a + b);
        REQUIRE(ndp::minus{}(a, b) == a - b);
        REQUIRE(ndp::multiplies{}(a, b) == a * b);
        if (b != T(0)) REQUIRE(ndp::divides{}(a, b) == a / b);
        REQUIRE(ndp::minimum{}(a, b) == std::min(a, b));
        REQUIRE(ndp::maximum{}(a, b) == std::max(a, b));
        if constexpr (std::is_integral_v<T>) {
          REQUIRE(ndp::bit_and{}(a, b) == static_cast<T>(a & b));
          REQUIRE(ndp::bit_or{}(a, b) == static_cast<T>(a | b));
          REQUIRE(ndp::bit_xor{}(a, b) == static_cast<T>(a ^ b));
        }
      }
      REQUIRE(ndp::negate{}(a) == -a);
      REQUIRE(ndp::identity{}(a) == a);
    }
  });
  CHECK((ndp::logical_and{}(true, true) && !ndp::logical_and{}(true, false)));
  CHECK((ndp::logical_or{}(true, false) && !ndp::logical_or{}(false, false)));
}

TEST_CASE("minimum and maximum of different types compare as what they yield") {
  CHECK(ndp::minimum{}(-1, 1.5) == -1.0);
  CHECK(ndp::maximum{}(std::int8_t{-1}, std::int64_t{1} << 40) == std::int64_t{1} << 40);
}
