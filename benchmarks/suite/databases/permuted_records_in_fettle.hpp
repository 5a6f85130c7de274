// permuted_records in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "permuted_records.hpp"

namespace suite {
template <>
struct fettle_expression<permuted_records> {
  using record = permuted_records::record;

  template <typename Processor>
  static void run(const Processor& on, view<const record> x, view<const index> to, view<record> y) {
    ndp::execute<"permuted_records">(ndp::scatter(sequence_of(x), sequence_of(to), sequence_of(y)),
                                     platform_of(on));
  }
};

}  // namespace suite
