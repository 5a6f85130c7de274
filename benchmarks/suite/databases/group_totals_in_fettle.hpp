// group_totals in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "group_totals.hpp"

namespace suite {
template <>
struct fettle_expression<group_totals> {
  using total = group_totals::total;

  template <typename Processor>
  static void run(const Processor& on, view<const index> key, view<const std::int64_t> amount,
                  view<total> y) {
    const auto totals = ndp::reduce_by_key(group_totals::merge{},
                                           ndp::map(group_totals::one{}, sequence_of(amount)),
                                           sequence_of(key), total{0, 0, group_totals::least});
    ndp::execute<"group_totals">(totals, sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
