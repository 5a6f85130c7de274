#include <type_traits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/shape/destination.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;

namespace {

struct zero {
  template <typename... Rows>
  int operator()(const Rows&... /*rows*/) const {
    return 0;
  }
};

using numbers = ndp::sequence<int>;
using tiles = ndp::tiled_sequence<numbers>;
using cycles = ndp::cyclic_sequence<numbers>;
template <typename... S>
using map_of = decltype(ndp::map(zero{}, std::declval<S>()...));
static_assert(ndp::has_outer_shape_v<map_of<tiles>>);
static_assert(ndp::has_outer_shape_v<map_of<numbers, cycles, tiles>>);
static_assert(!ndp::has_outer_shape_v<map_of<cycles>>);
static_assert(!ndp::has_outer_shape_v<map_of<numbers>>);
static_assert(!ndp::has_outer_shape_v<tiles>, "a shape is what a computation has");

}  // namespace

TEST_CASE("a row of a flat destination lies where the row of the first nested argument does") {
  std::vector<int> x = {1, 2, 3, 4, 5};
  std::vector<int> y(5);
  const auto in = ndp::make_sequence(x);
  const auto out = ndp::make_sequence(y);
  const std::vector<int> offsets = {0, 3, 3, 5};
  const auto rows = ndp::nest(in, ndp::make_sequence(offsets));
  const auto e = ndp::map(zero{}, ndp::range(0, 3), rows);
  static_assert(std::is_same_v<decltype(ndp::outer_shape(e)), const decltype(rows)&>);
  CHECK(ndp::destination_row(e, out, 0, 3).data() == y.data());
  CHECK(ndp::destination_row(e, out, 2, 2).data() == y.data() + 3);
  CHECK(ndp::destination_row(e, out, 2, 2).size() == 2);
}

TEST_CASE("a row of a nested destination is its row") {
  std::vector<int> x(6);
  std::vector<int> y(6);
  const auto e = ndp::map(zero{}, ndp::cyclic(ndp::make_sequence(x), 2));
  const auto out = ndp::split(ndp::make_sequence(y), 3);
  CHECK(ndp::destination_row(e, out, 1, 3).data() == y.data() + 3);
}
