// LavaMD (Rodinia): forces on particles in a grid of boxes. For each particle a sum over the
// particles of its box and of the 26 around it.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct lavamd {
  static constexpr const char* name = "lavamd";

  static index_t elements(const data_set& d) { return 27 * d.a * d.a * d.a * d.b * d.b; }
  static std::vector<data_set> data() {
    return {{"1^3 x 64", true, 1, 64},    {"2^3 x 32", true, 2, 32},    {"3^3 x 50", false, 3, 50},
            {"4^3 x 64", true, 4, 64},    {"6^3 x 100", false, 6, 100}, {"8^3 x 50", true, 8, 50},
            {"10^3 x 50", false, 10, 50}, {"10^3 x 100", true, 10, 100}};
  }

  struct force {
    const float* x;
    const float* y;
    const float* z;
    const float* charge;
    index_t boxes;      // along an axis
    index_t particles;  // in a box
    FETTLE_HOST_DEVICE index_t along(index_t at, index_t by) const {
      return (at + by - 1 + boxes) % boxes;
    }
    FETTLE_HOST_DEVICE float operator()(index_t i, index_t k) const {
      const index_t box = i / particles;
      const index_t neighbour = k / particles;
      const index_t bx = along(box % boxes, neighbour % 3);
      const index_t by = along(box / boxes % boxes, neighbour / 3 % 3);
      const index_t bz = along(box / (boxes * boxes), neighbour / 9);
      const index_t j = ((bz * boxes + by) * boxes + bx) * particles + (k - neighbour * particles);
      const float dx = x[i] - x[j];
      const float dy = y[i] - y[j];
      const float dz = z[i] - z[j];
      return charge[j] * expf(-0.5F * (dx * dx + dy * dy + dz * dz));
    }
  };

  static void run(bench& b) {
    const auto [boxes, particles] = std::pair(b.data.a, b.data.b);
    const index_t all = boxes * boxes * boxes * particles;
    array<float> x = some_numbers(all);
    array<float> y = some_numbers(all);
    array<float> z = some_numbers(all);
    array<float> charge = some_numbers(all);
    b.reduces(
        "forces", {all, 27 * particles}, ndp::plus{}, 0.0F,
        force{pointer_to(x), pointer_to(y), pointer_to(z), pointer_to(charge), boxes, particles});
  }
};

}  // namespace thresholds
