#include <cstdint>
#include <type_traits>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;

namespace {

using doubles = ndp::sequence<const double>;
using labels = ndp::sequence<const std::uint8_t>;
using sums = decltype(ndp::reduce_by_key(ndp::plus{}, doubles{}, labels{}, 0));

static_assert(std::is_same_v<sums, ndp::reduced_by_key<ndp::plus, doubles, labels, int>>);
static_assert(std::is_same_v<sums::value_type, double>);
static_assert(std::is_same_v<sums::key_type, std::uint8_t>);
static_assert(ndp::sequence_like<sums> && !ndp::random_access<sums>);
static_assert(std::is_trivially_copyable_v<sums>);
static_assert(std::is_same_v<ndp::expression_of_t<sums>, ndp::expression<op::reduce_by_key>>);

// Centroids of k-means: points of one label add up coordinate by coordinate.
struct add_points {
  template <typename A, typename B>
  constexpr auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};
using points = decltype(ndp::gather(ndp::tiled_sequence<doubles>{}, ndp::sequence<const int>{}));
using centroids = decltype(ndp::reduce_by_key(add_points{}, points{}, labels{},
                                              ndp::constant_sequence<double>{}));
static_assert(
    std::is_same_v<ndp::expression_of_t<centroids>, ndp::expression<op::reduce_by_key, op::map>>);
static_assert(std::is_trivially_copyable_v<centroids>);

}  // namespace

TEST_CASE("reduce_by_key is as long as its keys, and keeps what it was made of") {
  const double x[] = {1, 2, 3, 4};
  const std::uint8_t keys[] = {0, 0, 7, 7};
  const auto e =
      ndp::reduce_by_key(ndp::plus{}, ndp::make_sequence(x), ndp::make_sequence(keys), 5);
  CHECK(e.size() == 4);
  CHECK((e.source[2] == 3.0 && e.keys[2] == 7 && e.seed == 5));
}
