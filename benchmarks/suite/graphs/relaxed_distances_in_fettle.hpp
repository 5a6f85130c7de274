// relaxed_distances in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "relaxed_distances.hpp"

namespace suite {

template <>
struct fettle_expression<relaxed_distances> {
  struct relax {
    ndp::sequence<const float> d;
    template <typename Weights, typename Sources>
    FETTLE_HOST_DEVICE auto operator()(const Weights& w, const Sources& sources, float own) const {
      return ndp::reduce(ndp::minimum{}, ndp::map(ndp::plus{}, w, ndp::gather(d, sources)), own);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> w, view<const index> source,
                  view<const index> offsets, view<const float> d, view<float> y) {
    const auto weights = ndp::nest(sequence_of(w), sequence_of(offsets));
    const auto sources = ndp::nest(sequence_of(source), sequence_of(offsets));
    ndp::execute<"relaxed_distances">(
        ndp::map(relax{sequence_of(d)}, weights, sources, sequence_of(d)), sequence_of(y),
        platform_of(on));
  }
};

}  // namespace suite
