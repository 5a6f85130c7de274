// embedding_bags in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "embedding_bags.hpp"

namespace suite {
template <>
struct fettle_expression<embedding_bags> {
  using vector = embedding_bags::vector;

  struct bag {
    ndp::sequence<const vector> table;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& identifiers) const {
      return ndp::reduce(embedding_bags::add{}, ndp::gather(table, identifiers), vector{});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> id, view<const index> offsets,
                  view<const vector> table, view<vector> y) {
    const auto rows = ndp::nest(sequence_of(id), sequence_of(offsets));
    ndp::execute<"embedding_bags">(ndp::map(bag{sequence_of(table)}, rows), sequence_of(y),
                                   platform_of(on));
  }
};

}  // namespace suite
