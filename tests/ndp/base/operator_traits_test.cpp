#include <cstdint>
#include <initializer_list>
#include <limits>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/operator_traits.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;

namespace {

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
