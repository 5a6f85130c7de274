// particle: a struct of 32 bytes that several computations of physics read.
#pragma once

#include "problem.hpp"

namespace suite {

struct alignas(16) particle {
  float x[3];
  float mass;
  float v[3];
  float charge;
};

[[nodiscard]] inline std::vector<particle> particles(index count) {
  return filled(count, [](std::uint64_t i) {
    const auto draw = [=](std::uint64_t k) { return float(fb::unit(8 * i + k, 4)); };
    return particle{{draw(0), draw(1), draw(2)},
                    1 + draw(3),
                    {draw(4) - 0.5f, draw(5) - 0.5f, draw(6) - 0.5f},
                    draw(7)};
  });
}

}  // namespace suite
