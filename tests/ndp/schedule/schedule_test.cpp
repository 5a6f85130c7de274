#include <string>
#include <type_traits>

#include <fettle/ndp/schedule/schedule.hpp>

#include "support/catch.hpp"

namespace schedule = fettle::ndp::schedule;
using schedule::cooperative;
using schedule::flattened;
using schedule::independent;
using schedule::kind;
using schedule::sequential;

static_assert(schedule::schedule_like<independent<>>);
static_assert(schedule::schedule_like<flattened<sequential<>>>);
static_assert(!schedule::schedule_like<schedule::none> && !schedule::schedule_like<int>);
static_assert(std::is_empty_v<independent<cooperative<>>>);
static_assert(std::is_same_v<independent<cooperative<>>::inner, cooperative<>>);

static_assert(schedule::kind_v<cooperative<>> == kind::cooperative);
static_assert(schedule::kind_v<schedule::none> == kind::none);
static_assert(schedule::is_sequential_v<sequential<sequential<>>>);
static_assert(schedule::is_sequential_v<schedule::none>);
static_assert(!schedule::is_sequential_v<sequential<cooperative<>>>);

static_assert(schedule::to_string<independent<cooperative<>>>() == "independent>cooperative");
static_assert(schedule::to_string<flattened<>>() == "flattened");
static_assert(schedule::to_string<sequential<independent<flattened<sequential<>>>>>() ==
              "sequential>independent>flattened>sequential");
static_assert(schedule::to_string<schedule::none>().empty());

namespace {

// A schedule is what its code spells.
template <typename S>
constexpr bool survives_its_code =
    std::is_same_v<schedule::schedule_of_t<schedule::nodes_v<S>.code()>, S> &&
    schedule::nodes::of_code(schedule::nodes_v<S>.code()) == schedule::nodes_v<S>;

template <int Depth>
struct deep {
  using type = sequential<typename deep<Depth - 1>::type>;
};
template <>
struct deep<1> {
  using type = flattened<>;
};

}  // namespace

static_assert(survives_its_code<independent<>>);
static_assert(survives_its_code<independent<cooperative<sequential<flattened<>>>>>);
static_assert(survives_its_code<deep<16>::type>);

TEST_CASE("a schedule's levels are counted from 1, and flattened covers two") {
  constexpr schedule::nodes nodes = schedule::nodes_v<independent<flattened<cooperative<>>>>;
  CHECK(nodes.count == 3);
  CHECK(nodes.levels() == 4);
  CHECK(nodes.at_level(1) == kind::independent);
  CHECK(nodes.at_level(2) == kind::flattened);
  CHECK(nodes.at_level(3) == kind::flattened);
  CHECK(nodes.at_level(4) == kind::cooperative);
}

TEST_CASE("levels that a schedule leaves out are sequential") {
  CHECK(schedule::nodes_v<independent<>>.at_level(2) == kind::sequential);
  CHECK(schedule::nodes_v<schedule::none>.at_level(1) == kind::sequential);
}
