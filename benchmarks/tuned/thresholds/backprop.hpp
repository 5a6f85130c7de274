// Backprop (Rodinia): a layer of a neural network of 16 hidden units. Forward, a sum over all
// inputs for each unit, few long rows; backward, a weight for each input and unit.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct backprop {
  static constexpr const char* name = "backprop";
  static constexpr index_t hidden = 16;

  static index_t elements(const data_set& d) { return d.a * hidden; }
  static std::vector<data_set> data() {
    return {{"2^10", true, 1 << 10}, {"2^12", true, 1 << 12}, {"2^14", false, 1 << 14},
            {"2^16", true, 1 << 16}, {"2^18", true, 1 << 18}, {"2^20", false, 1 << 20},
            {"2^21", true, 1 << 21}};
  }

  struct weighted {
    const float* weights;
    const float* inputs;
    index_t count;
    FETTLE_HOST_DEVICE float operator()(index_t unit, index_t i) const {
      return weights[unit * count + i] * inputs[i];
    }
  };
  struct adjusted {
    const float* weights;
    const float* inputs;
    const float* deltas;
    FETTLE_HOST_DEVICE float operator()(index_t i, index_t unit) const {
      return weights[i * hidden + unit] + 0.3F * deltas[unit] * inputs[i];
    }
  };

  static void run(bench& b) {
    const index_t count = b.data.a;
    array<float> weights = some_numbers(count * hidden);
    array<float> inputs = some_numbers(count);
    array<float> deltas = some_numbers(hidden);
    b.reduces("forward", {hidden, count}, ndp::plus{}, 0.0F,
              weighted{pointer_to(weights), pointer_to(inputs), count});
    b.maps("adjust", {count, hidden},
           adjusted{pointer_to(weights), pointer_to(inputs), pointer_to(deltas)});
  }
};

}  // namespace thresholds
