#include <type_traits>

#include <fettle/ndp.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;

namespace {

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const int>;
using matrix = ndp::nested_sequence<doubles, ints>;
using columns = ndp::nested_sequence<ints, ints>;

// Listing 1 of the paper: gather and the inner map are arguments, no levels.
struct row_dot {
  doubles x;
  auto operator()(const doubles& row, const ints& at) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, at)), 0.0);
  }
};
using spmv = decltype(ndp::map(row_dot{}, matrix{}, columns{}));
static_assert(std::is_same_v<ndp::expression_of_t<spmv>, ndp::expression<op::map, op::reduce>>);
static_assert(std::is_trivially_copyable_v<spmv>);

template <typename Inner>
struct nest_of {
  template <typename Row>
  auto operator()(const Row& row) const {
    return Inner{}(row);
  }
};
struct scanned {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};
struct summed {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
template <typename F>
struct mapped {
  template <typename Rows>
  auto operator()(const Rows& rows) const {
    return ndp::map(F{}, rows);
  }
};
struct turned {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reverse(row);
  }
};
struct row_itself {
  template <typename Row>
  Row operator()(const Row& row) const {
    return row;
  }
};
using deep = ndp::tiled_sequence<ndp::tiled_sequence<doubles>>;

template <typename F, typename S, typename... Ops>
constexpr bool nests = std::is_same_v<ndp::expression_of_t<decltype(ndp::map(F{}, S{}))>,
                                      ndp::expression<op::map, Ops...>>;
static_assert(nests<scanned, matrix, op::scan>);
static_assert(nests<mapped<ndp::negate>, matrix, op::map>);
static_assert(nests<turned, matrix, op::reverse>);
static_assert(nests<row_itself, matrix>, "plain data is no operator");
static_assert(nests<mapped<summed>, deep, op::map, op::reduce>);
static_assert(
    nests<mapped<mapped<summed>>, ndp::tiled_sequence<deep>, op::map, op::map, op::reduce>);

// A reference or a constant makes no difference, and what is no expression has none.
static_assert(std::is_same_v<ndp::expression_of_t<const spmv&>, ndp::expression_of_t<spmv>>);
static_assert(std::is_same_v<ndp::expression_of_t<doubles>, ndp::expression<>>);
static_assert(std::is_same_v<ndp::expression_of_t<int>, ndp::expression<>>);

}  // namespace

TEST_CASE("an expression's text names its levels, outermost first") {
  CHECK(ndp::to_string<ndp::expression_of_t<spmv>>() == "map>reduce");
}
