#include <set>
#include <string_view>

#include <fettle/ndp/base/op.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;

static_assert(ndp::to_string<ndp::expression<op::map, op::reduce>>() == "map>reduce");
static_assert(ndp::to_string<ndp::expression<op::reduce_by_key>>() == "reduce_by_key");
static_assert(ndp::to_string<ndp::expression<>>().empty());
static_assert(ndp::expression<op::map, op::split, op::scan>::size == 3);
static_assert(ndp::expression_sequence<ndp::expression<>>);
static_assert(!ndp::expression_sequence<op::map>);
static_assert(ndp::operator_tag<op::transpose> && !ndp::operator_tag<int>);

TEST_CASE("no two operators have the same name") {
  const std::set<std::string_view> names = {
      op::map::name,      op::reduce::name,  op::reduce_by_key::name, op::scan::name,
      op::gather::name,   op::scatter::name, op::range::name,         op::replicate::name,
      op::zip::name,      op::split::name,   op::cyclic::name,        op::join::name,
      op::striding::name, op::reverse::name, op::nest::name,          op::transpose::name,
      op::windows::name,  op::grid::name,    op::halo::name};
  CHECK(names.size() == 19);
}
