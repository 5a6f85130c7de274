// Embedded-atom energy and forces by plain loops over all pairs of atoms: what the parallel ones
// are compared with. O(atoms^2).
#pragma once

#include <cmath>
#include <vector>

#include "lattice.hpp"
#include "table.hpp"

namespace examples {

struct energy_and_forces {
  double energy = 0;
  std::vector<vec3> forces;
};

[[nodiscard]] inline energy_and_forces serial_eam(const atoms& all,
                                                  const potential_tables& potential) {
  const auto view = [](const table& t) {
    return table_view{t.first, t.steps_per_unit, ndp::make_sequence(t.values)};
  };
  const table_view pair = view(potential.pair);
  const table_view density = view(potential.density);
  const table_view embedding = view(potential.embedding);
  const std::size_t count = all.positions.size();
  energy_and_forces result{0, std::vector<vec3>(count)};
  const auto for_each_pair = [&](auto&& visit) {
    const auto image = [&](double d) { return d - all.side * std::round(d / all.side); };
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        vec3 d = all.positions[i] - all.positions[j];
        d = {image(d.x), image(d.y), image(d.z)};
        const double r = std::sqrt(dot(d, d));
        if (r < potential.cutoff) visit(i, j, d, r);
      }
    }
  };
  const auto push_apart = [&](std::size_t i, std::size_t j, double slope, const vec3& d, double r) {
    result.forces[i] = result.forces[i] - (slope / r) * d;
    result.forces[j] = result.forces[j] + (slope / r) * d;
  };

  std::vector<double> rho(count);
  for_each_pair([&](std::size_t i, std::size_t j, const vec3& d, double r) {
    const value_and_slope phi = pair(r);
    result.energy += phi.value;
    push_apart(i, j, phi.slope, d, r);
    rho[i] += density(r).value;
    rho[j] += density(r).value;
  });
  for (std::size_t i = 0; i < count; ++i) result.energy += embedding(rho[i]).value;
  for_each_pair([&](std::size_t i, std::size_t j, const vec3& d, double r) {
    push_apart(i, j, (embedding(rho[i]).slope + embedding(rho[j]).slope) * density(r).slope, d, r);
  });
  return result;
}

/// The energy of an atom in the perfect infinite lattice: the sum over the shells of its
/// neighbours. An fcc lattice has shell_atoms[k] atoms at the distance a sqrt((k + 1) / 2).
template <typename Potential>
[[nodiscard]] double fcc_energy_per_atom(const Potential& potential) {
  constexpr int shell_atoms[] = {12, 6, 24, 12, 24, 8, 48, 6};
  double pairs = 0;
  double rho = 0;
  int shell = 0;
  for (const int atoms : shell_atoms) {
    const double r = potential.lattice_constant * std::sqrt(0.5 * ++shell);
    pairs += atoms * potential.pair(r);
    rho += atoms * potential.density(r);
  }
  return 0.5 * pairs + potential.embedding(rho);
}

}  // namespace examples
