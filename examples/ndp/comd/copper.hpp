// Copper as Sutton and Chen describe it (Phil. Mag. Lett. 61, 139, 1990), an embedded-atom
// potential in closed form. Units: eV and Angstrom.
//
//   energy of atom i = 1/2 sum_j pair(r_ij) + embedding(sum_j density(r_ij))
//
// pair and density are brought to zero smoothly between `taper` and `cutoff`, so that forces are
// the gradient of the energy also where an atom crosses the cutoff.
#pragma once

#include <cmath>

namespace examples {

struct copper {
  static constexpr double epsilon = 1.2382e-2;
  static constexpr double c = 39.432;
  static constexpr double lattice_constant = 3.61;
  static constexpr double taper = 4.6;
  static constexpr double cutoff = 5.5;

  [[nodiscard]] static double pair(double r) {
    return epsilon * std::pow(lattice_constant / r, 9) * remainder(r);
  }
  [[nodiscard]] static double density(double r) {
    return std::pow(lattice_constant / r, 6) * remainder(r);
  }
  [[nodiscard]] static double embedding(double rho) { return -epsilon * c * std::sqrt(rho); }

 private:
  // 1 up to `taper`, 0 from `cutoff` on, with two continuous derivatives.
  static double remainder(double r) {
    if (r <= taper) return 1;
    if (r >= cutoff) return 0;
    const double t = (r - taper) / (cutoff - taper);
    return 1 - t * t * t * (10 - 15 * t + 6 * t * t);
  }
};

}  // namespace examples
