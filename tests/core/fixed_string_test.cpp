#include <type_traits>

#include <fettle/core/fixed_string.hpp>

#include "support/catch.hpp"

namespace {

template <fettle::fixed_string Name>
struct named {
  static constexpr std::string_view name = Name;
};

}  // namespace

static_assert(std::is_same_v<named<"spmv">, named<"spmv">>);
static_assert(!std::is_same_v<named<"spmv">, named<"sort">>);
static_assert(named<"spmv">::name == "spmv");
static_assert(fettle::fixed_string("") == fettle::fixed_string(""));
static_assert(!(fettle::fixed_string("a") == fettle::fixed_string("ab")));
static_assert(fettle::fixed_string("").empty() && !fettle::fixed_string("a").empty());
static_assert(fettle::fixed_string("a\0b").size() == 3);

TEST_CASE("fixed_string keeps every character of the literal") {
  CHECK(fettle::fixed_string("a\0b").view() == std::string_view("a\0b", 3));
  CHECK(named<"two words">::name == "two words");
}
