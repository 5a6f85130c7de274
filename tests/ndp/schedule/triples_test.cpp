// The schedules of every triple of operators against a second opinion.
#include <cstddef>
#include <utility>
#include <vector>

#include <fettle/ndp/base/op.hpp>

#include "ndp/schedule/reference.hpp"
#include "support/catch.hpp"

namespace {

namespace reference = schedule_reference;
using reference::operator_at;
using reference::operator_count;

constexpr std::size_t pair_count = operator_count * operator_count;

template <typename First, std::size_t... Numbers>
std::vector<reference::entry> triples(std::index_sequence<Numbers...> /*all*/) {
  return {reference::entry_of<fettle::ndp::expression<First, operator_at<Numbers / operator_count>,
                                                      operator_at<Numbers>>>()...};
}

}  // namespace

TEST_CASE("the schedules of every triple of operators") {
  std::size_t seen = 0;
  fettle::for_each(reference::operators{}, [&]<typename First>(fettle::type_tag<First>) {
    const auto all = triples<First>(std::make_index_sequence<pair_count>{});
    for (std::size_t i = 0; i < all.size(); ++i) {
      reference::check(
          {std::string(First::name), reference::name_of(i / operator_count), reference::name_of(i)},
          all[i]);
    }
    seen += all.size();
  });
  CHECK(seen == 18 * 18 * 18);
}
