#include <string>
#include <type_traits>

#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::get;
using ndp::tuple;

namespace {

using pair = tuple<int, double>;
static_assert(std::is_trivially_copyable_v<pair> && std::is_aggregate_v<pair>);
static_assert(std::is_trivially_copyable_v<tuple<int&, double&>>);
static_assert(!std::is_trivially_copyable_v<tuple<int, std::string>>);
static_assert(std::tuple_size_v<pair> == 2 && std::tuple_size_v<tuple<>> == 0);
static_assert(std::is_same_v<std::tuple_element_t<1, tuple<int, double&>>, double&>);

// As small as a struct: arrays of tuples are read from memory.
static_assert(sizeof(tuple<double>) == 8 && sizeof(tuple<double, double>) == 16);
static_assert(sizeof(tuple<float, float, float>) == 12);
static_assert(sizeof(tuple<std::int8_t, std::int8_t, std::int8_t, std::int8_t>) == 4);
static_assert(sizeof(tuple<double, tuple<float, float>>) == 16);

// What get yields: the reference that is in the tuple, or one to the value.
template <typename T>
using first_of = decltype(get<0>(std::declval<T>()));
static_assert(std::is_same_v<first_of<tuple<int>&>, int&>);
static_assert(std::is_same_v<first_of<const tuple<int>&>, const int&>);
static_assert(std::is_same_v<first_of<tuple<int>>, int>);
static_assert(std::is_same_v<first_of<tuple<int&>>, int&>);
static_assert(std::is_same_v<first_of<const tuple<int&>&>, int&>);

// Conversions value by value; never to a reference that would dangle or drop const.
static_assert(std::is_convertible_v<tuple<int&, float&>, pair>);
static_assert(std::is_convertible_v<tuple<int&>, tuple<const int&>>);
static_assert(!std::is_convertible_v<tuple<const int&>, tuple<int&>>);
static_assert(!std::is_convertible_v<tuple<int>, tuple<int&>>);
static_assert(!std::is_convertible_v<pair, tuple<int>>);
static_assert(!std::is_convertible_v<pair, tuple<std::string, double>>);

}  // namespace

TEST_CASE("a tuple is built, taken apart and compared") {
  const auto t = ndp::make_tuple(1, 2.5, std::string("three"));
  static_assert(std::is_same_v<decltype(t), const tuple<int, double, std::string>>);
  const auto& [a, b, c] = t;
  CHECK((a == 1 && b == 2.5 && c == "three"));
  CHECK(t == ndp::make_tuple(1, 2.5, std::string("three")));
  CHECK(t != ndp::make_tuple(1, 2.5, std::string("four")));
  CHECK(t != ndp::make_tuple(2, 2.5, std::string("three")));
  CHECK(ndp::make_tuple() == tuple<>{});
  CHECK(get<2>(ndp::make_tuple(1, 2, std::string("moved"))) == "moved");
}

TEST_CASE("a tuple of references refers") {
  int x = 1;
  double y = 2.0;
  const auto r = ndp::tuple_of<int&, double&>(x, y);
  CHECK(r == ndp::make_tuple(1, 2.0));
  get<0>(r) = 5;
  auto [a, b] = r;
  b = 7.0;
  CHECK((x == 5 && y == 7.0 && a == 5));
  const tuple<double, int> values = r;
  CHECK(values == ndp::make_tuple(5.0, 7));
}

TEST_CASE("store assigns values, tuples of values, and through tuples of references") {
  float f = 0.0F;
  ndp::store(f, 2.5);
  CHECK(f == 2.5F);
  tuple<int, double> t{};
  ndp::store(t, ndp::make_tuple(3.0F, 4));
  CHECK(t == ndp::make_tuple(3, 4.0));
  int x = 0;
  double y = 0.0;
  int z = 0;
  ndp::store(ndp::tuple_of<tuple<int&, double&>, int&>(ndp::tuple_of<int&, double&>(x, y), z),
             ndp::make_tuple(ndp::make_tuple(1.0, 2), std::int8_t{3}));
  CHECK((x == 1 && y == 2.0 && z == 3));
}

TEST_CASE("tuples work in constant expressions") {
  constexpr auto t = ndp::make_tuple(1, 2L);
  static_assert(get<1>(t) == 2 && t == ndp::make_tuple(1, 2L));
  SUCCEED();
}
