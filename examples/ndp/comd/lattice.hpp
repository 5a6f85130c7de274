// Atoms in a periodic cube: the perfect face-centred cubic lattice, and one that has been shaken.
#pragma once

#include <cmath>
#include <vector>

#include "../support/random.hpp"
#include "vec3.hpp"

namespace examples {

struct atoms {
  double side = 0;  ///< of the cube; what leaves it on one face comes in at the opposite one
  std::vector<vec3> positions;
};

/// cells^3 unit cells of four atoms each.
[[nodiscard]] inline atoms fcc_lattice(int cells, double lattice_constant) {
  atoms out{cells * lattice_constant, {}};
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const vec3 corner{double(i), double(j), double(k)};
        for (const vec3& position :
             {vec3{0, 0, 0}, vec3{0.5, 0.5, 0}, vec3{0.5, 0, 0.5}, vec3{0, 0.5, 0.5}}) {
          out.positions.push_back(lattice_constant * (corner + position));
        }
      }
    }
  }
  return out;
}

/// Moves every coordinate by up to `amplitude`, at random; atoms stay in the cube.
inline void shake(atoms& all, double amplitude, std::uint64_t seed = 1) {
  random_numbers random(seed);
  const auto moved = [&](double x) {
    x += amplitude * (2 * random.unit() - 1);
    x -= all.side * std::floor(x / all.side);
    return x < all.side ? x : 0.0;
  };
  for (vec3& position : all.positions) {
    // One statement a coordinate: the order in which arguments are evaluated is free.
    position.x = moved(position.x);
    position.y = moved(position.y);
    position.z = moved(position.z);
  }
}

}  // namespace examples
