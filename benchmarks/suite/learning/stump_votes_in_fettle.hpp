// stump_votes in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "stump_votes.hpp"

namespace suite {
template <>
struct fettle_expression<stump_votes> {
  using stump = stump_votes::stump;

  template <typename Sample>
  struct vote {
    Sample sample;
    FETTLE_HOST_DEVICE float operator()(const stump& one) const {
      return one.value[sample[one.feature] < one.threshold ? 0 : 1];
    }
  };
  struct votes {
    ndp::sequence<const stump> stumps;
    template <typename Sample>
    FETTLE_HOST_DEVICE auto operator()(const Sample& sample) const {
      return ndp::reduce(ndp::plus{}, ndp::map(vote<Sample>{sample}, stumps), 0.0f);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const stump> stumps,
                  view<float> y) {
    const auto samples = ndp::split(sequence_of(x), stump_votes::width);
    ndp::execute<"stump_votes">(ndp::map(votes{sequence_of(stumps)}, samples), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
