// What the passes of an embedded-atom force calculation do to one atom, on either platform.
//
//   pass 1  pair energy, pair forces and the electron density at every atom, from its neighbours
//   pass 2  the energy of embedding the atom in that density, and its slope
//   pass 3  the forces that come from the densities, from the neighbours' slopes
//
// Every atom adds up what its neighbours do to it and writes nothing but its own results, so atoms
// may be treated in any order and at the same time.
#pragma once

#include <cmath>

#include "link_cells.hpp"
#include "table.hpp"
#include "vec3.hpp"

namespace examples {

/// What neighbours do to an atom in pass 1.
struct pair_sums {
  double energy = 0;
  double density = 0;
  vec3 force;

  FETTLE_HOST_DEVICE friend constexpr pair_sums operator+(const pair_sums& a, const pair_sums& b) {
    return {a.energy + b.energy, a.density + b.density, a.force + b.force};
  }
};

/// Views over everything. `boxes` is a nested sequence: the atoms of each box.
template <typename Boxes>
struct eam_system {
  double side;
  double cutoff;
  table_view pair;
  table_view density;
  table_view embedding;

  Boxes boxes;
  ndp::tiled_sequence<ndp::sequence<const near_box>> neighbours;  // of each box, itself among them

  ndp::sequence<const vec3> position;
  ndp::sequence<vec3> force;
  ndp::sequence<double> electron_density;
  ndp::sequence<double> embedding_slope;

  /// Pass 1 for an atom of `box`: returns its pair energy.
  FETTLE_HOST_DEVICE double pair_pass(ndp::index_t atom, ndp::index_t box) const {
    pair_sums sums;
    const auto near = neighbours[box];
    for (int b = 0; b < boxes_around; ++b) add_pairs(atom, near[b], sums);
    force[atom] = sums.force;
    electron_density[atom] = sums.density;
    return sums.energy;
  }

  /// Pass 2: returns the embedding energy.
  FETTLE_HOST_DEVICE double embedding_pass(ndp::index_t atom) const {
    const value_and_slope embedded = embedding(electron_density[atom]);
    embedding_slope[atom] = embedded.slope;
    return embedded.value;
  }

  /// Pass 3.
  FETTLE_HOST_DEVICE void density_pass(ndp::index_t atom, ndp::index_t box) const {
    vec3 sum = force[atom];
    const auto near = neighbours[box];
    for (int b = 0; b < boxes_around; ++b) add_density_forces(atom, near[b], sum);
    force[atom] = sum;
  }

  /// What a neighbour does to an atom in pass 1; `apart` is the atom's position less the
  /// neighbour's.
  FETTLE_HOST_DEVICE pair_sums pair_term(const vec3& apart) const {
    const double r = std::sqrt(dot(apart, apart));
    const value_and_slope phi = pair(r);
    return {0.5 * phi.value, density(r).value, -(phi.slope / r) * apart};
  }

  /// What it does in pass 3; `slopes` are both atoms' embedding slopes added up.
  FETTLE_HOST_DEVICE vec3 density_force(double slopes, const vec3& apart) const {
    const double r = std::sqrt(dot(apart, apart));
    return -(slopes * density(r).slope / r) * apart;
  }

  /// Pass 1 for an atom and those in a box that is near it.
  FETTLE_HOST_DEVICE void add_pairs(ndp::index_t atom, const near_box& near,
                                    pair_sums& sums) const {
    for_each_candidate(atom, near, [&](int /*other*/, const vec3& apart, int within) {
      if (within != 0) sums = sums + pair_term(apart);
    });
  }

  /// Pass 3 for them.
  FETTLE_HOST_DEVICE void add_density_forces(ndp::index_t atom, const near_box& near,
                                             vec3& sum) const {
    const double own_slope = embedding_slope[atom];
    for_each_candidate(atom, near, [&](int other, const vec3& apart, int within) {
      if (within != 0) sum = sum + density_force(own_slope + embedding_slope[other], apart);
    });
  }

  /// Calls visit(other atom, position - other's position, whether it is within the cutoff) for
  /// those of `near`. Atoms are counted by int: a GPU's thread holds twice as many of these.
  template <typename Visit>
  FETTLE_HOST_DEVICE void for_each_candidate(ndp::index_t atom, const near_box& near,
                                             Visit&& visit) const {
    const vec3 here = near.seen_from_atoms(position[atom], side);
    const auto others = boxes[near.box];
    const int count = static_cast<int>(others.size());
    for (int k = 0; k < count; ++k) {
      const auto other = static_cast<int>(others[k]);
      const vec3 apart = here - position[other];
      // Not &&: which candidates are near cannot be predicted.
      const int within = int(dot(apart, apart) < cutoff * cutoff) & int(other != atom);
      visit(other, apart, within);
    }
  }

  /// An atom's position less that of the nearest of the other's images in the repeated cube.
  FETTLE_HOST_DEVICE vec3 apart(ndp::index_t atom, int other) const {
    const vec3 far = position[atom] - position[other];
    return {nearest_image(far.x), nearest_image(far.y), nearest_image(far.z)};
  }

 private:
  FETTLE_HOST_DEVICE double nearest_image(double along) const {
    if (along > 0.5 * side) return along - side;
    if (along < -0.5 * side) return along + side;
    return along;
  }
};

}  // namespace examples
