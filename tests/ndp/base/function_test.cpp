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

}  // namespace

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
