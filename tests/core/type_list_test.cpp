#include <string>
#include <type_traits>

#include <fettle/core/type_list.hpp>

#include "support/catch.hpp"

using fettle::type_at_t;
using fettle::type_list;
using fettle::unique_concat_t;

using numbers = type_list<int, float, int>;

static_assert(numbers::size == 3 && type_list<>::size == 0);
static_assert(std::is_same_v<type_at_t<numbers, 1>, float>);
static_assert(std::is_same_v<type_at_t<numbers, 2>, int>);
static_assert(fettle::contains_v<numbers, float> && !fettle::contains_v<numbers, double>);
static_assert(!fettle::contains_v<type_list<>, int>);
static_assert(fettle::index_of_v<numbers, int> == 0 && fettle::index_of_v<numbers, float> == 1);
static_assert(fettle::index_of_v<numbers, double> == 3);
static_assert(
    std::is_same_v<unique_concat_t<numbers, type_list<char, float>>, type_list<int, float, char>>);
static_assert(std::is_same_v<unique_concat_t<type_list<>, type_list<>>, type_list<>>);

TEST_CASE("for_each visits the types in order, doubles included") {
  std::string sizes;
  fettle::for_each(type_list<char, double, char>{}, [&]<typename T>(fettle::type_tag<T>) {
    sizes += std::to_string(sizeof(T)) + " ";
  });
  CHECK(sizes == "1 8 1 ");
}
