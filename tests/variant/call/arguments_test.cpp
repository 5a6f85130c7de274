// How argument types are read off tuples and signatures: compile-time tests.
#include <memory>
#include <tuple>
#include <type_traits>

#include <fettle/variant/call/arguments.hpp>

#include "support/catch.hpp"

namespace detail = fettle::detail;
using detail::argument_list;

namespace {

template <typename... Ts>
struct padded_tuple {};

template <typename Arguments>
using arguments_of = typename detail::function_shape<Arguments>::arguments;

static_assert(std::is_same_v<arguments_of<std::tuple<const int&, double>>,
                             argument_list<const int&, double>>);
static_assert(std::is_same_v<arguments_of<std::tuple<>>, argument_list<>>);
static_assert(std::is_same_v<arguments_of<int(float, char&)>, argument_list<float, char&>>);
static_assert(
    std::is_same_v<arguments_of<padded_tuple<int*, float, thrust::null_type, thrust::null_type>>,
                   argument_list<int*, float>>);
static_assert(std::is_same_v<arguments_of<padded_tuple<thrust::null_type>>, argument_list<>>);
static_assert(std::is_void_v<arguments_of<int>>);
static_assert(!detail::function_shape<int>::valid);
static_assert(std::is_same_v<detail::function_shape<int(float)>::result, int>);
static_assert(std::is_same_v<detail::function_shape<std::tuple<float>>::result, double>);

using owner = std::unique_ptr<int>;
static_assert(std::is_same_v<detail::observed<int&>, int&>);
static_assert(std::is_same_v<detail::observed<const int&>, const int&>);
static_assert(std::is_same_v<detail::observed<owner>, const owner&>);
static_assert(std::is_same_v<detail::observed<owner&&>, const owner&>);
static_assert(std::is_same_v<detail::observed_by_class<int*>, int*>);
static_assert(std::is_same_v<detail::observed_by_class<owner>, const owner&>);
static_assert(detail::all_repeatable<int, owner&, const owner&>);
static_assert(!detail::all_repeatable<int, owner>);

}  // namespace

TEST_CASE("kept references stay the caller's, kept values are copies") {
  int x = 1;
  detail::kept_argument<int&> reference(x);
  reference.pass() = 2;
  CHECK(x == 2);
  CHECK(&reference.show() == &x);
  detail::kept_argument<int> value(int{x});
  value.change() = 3;
  CHECK(value.pass() == 3);
  CHECK(value.pass() == 3);
  CHECK(x == 2);
  detail::kept_argument<owner> moved(std::make_unique<int>(4));
  CHECK(*moved.pass() == 4);
  CHECK(moved.show() == nullptr);
}
