// normalised_rows in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "normalised_rows.hpp"

namespace suite {
template <>
struct fettle_expression<normalised_rows> {
  struct state {
    float count;
    float mean;
    float m2;
  };
  /// Chan, Golub and LeVeque's.
  struct merge {
    FETTLE_HOST_DEVICE state operator()(const state& a, const state& b) const {
      const float count = a.count + b.count;
      if (!(count > 0)) return a;
      const float distance = b.mean - a.mean;
      const float part = b.count / count;
      return {count, a.mean + distance * part, a.m2 + b.m2 + distance * distance * a.count * part};
    }
  };
  struct of_one {
    FETTLE_HOST_DEVICE state operator()(float x) const { return {1, x, 0}; }
  };
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(merge{}, ndp::map(of_one{}, row), state{0, 0, 0});
    }
  };
  struct normalise {
    float mean;
    float scale;
    FETTLE_HOST_DEVICE float operator()(float x) const { return (x - mean) * scale; }
  };
  struct normalise_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row, const state& s) const {
      const float variance = s.count > 0 ? s.m2 / s.count : 0;
      return ndp::map(normalise{s.mean, 1 / std::sqrt(variance + 1e-5f)}, row);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<float> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    const auto states = sequence_of(on.template scratch<state>(0, offsets.size() - 1));
    ndp::execute<"states_of_rows">(ndp::map(of_row{}, rows), states, platform_of(on));
    ndp::execute<"normalised_rows">(ndp::map(normalise_row{}, rows, states), sequence_of(y),
                                    platform_of(on));
  }
};

}  // namespace suite
