// Which elements count as work for the default rule on CUDA: those of functions that carry much.
#include <array>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::cuda::detail::has_costly_elements_v;

namespace {

using numbers = ndp::sequence<const double>;
using places = ndp::sequence<const int>;

struct looks_up {
  numbers tables[5];
  double operator()(int i) const { return tables[0][i]; }
};
struct scales {
  double factor;
  numbers shifts;
  double operator()(double x) const { return factor * x + shifts[0]; }
};
struct carries_nothing {
  double operator()(int i) const { return i; }
};
struct large_and_cheap {
  std::array<double, 20> unused{};
  double operator()(int i) const { return i; }
};

}  // namespace

template <>
inline constexpr bool fettle::ndp::cuda::is_costly_v<carries_nothing> = true;
template <>
inline constexpr bool fettle::ndp::cuda::is_costly_v<large_and_cheap> = false;

namespace {

template <typename F, typename... S>
using mapped = decltype(ndp::map(F{}, S{}...));

}  // namespace

TEST_CASE("costly elements: numbers in memory, and arithmetic on them, are none") {
  STATIC_REQUIRE(!has_costly_elements_v<numbers>);
  STATIC_REQUIRE(!has_costly_elements_v<mapped<ndp::multiplies, numbers, numbers>>);
  STATIC_REQUIRE(!has_costly_elements_v<mapped<scales, numbers>>);
  using product =
      decltype(ndp::map(ndp::multiplies{}, numbers{}, ndp::gather(numbers{}, places{})));
  STATIC_REQUIRE(!has_costly_elements_v<product>);
}

TEST_CASE("costly elements: what a function that carries views computes is, also inside others") {
  STATIC_REQUIRE(has_costly_elements_v<mapped<looks_up, places>>);
  STATIC_REQUIRE(has_costly_elements_v<mapped<ndp::negate, mapped<looks_up, places>>>);
  using pairs = decltype(ndp::zip(mapped<looks_up, places>{}, numbers{}));
  STATIC_REQUIRE(has_costly_elements_v<pairs>);
  using row = decltype(ndp::split(mapped<looks_up, places>{}, 64)[0]);
  STATIC_REQUIRE(has_costly_elements_v<row>);
}

TEST_CASE("costly elements: a program may know better") {
  STATIC_REQUIRE(has_costly_elements_v<mapped<carries_nothing, places>>);
  STATIC_REQUIRE(!has_costly_elements_v<mapped<large_and_cheap, places>>);
}
