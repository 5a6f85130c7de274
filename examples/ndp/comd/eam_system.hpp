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

#include "table.hpp"
#include "vec3.hpp"

namespace examples {

/// Views over everything. `boxes` is a nested sequence: the atoms of each box.
template <typename Boxes>
struct eam_system {
  double side;
  double cutoff;
  table_view pair;
  table_view density;
  table_view embedding;

  Boxes boxes;
  ndp::tiled_sequence<ndp::sequence<const int>> neighbours;  // of each box, itself among them

  ndp::sequence<const vec3> position;
  ndp::sequence<vec3> force;
  ndp::sequence<double> electron_density;
  ndp::sequence<double> embedding_slope;

  /// Pass 1 for an atom of `box`: returns its pair energy.
  FETTLE_HOST_DEVICE double pair_pass(ndp::index_t atom, ndp::index_t box) const {
    double energy = 0;
    double rho = 0;
    vec3 sum;
    for_each_neighbour(atom, box, [&](ndp::index_t /*other*/, const vec3& apart, double r) {
      const value_and_slope phi = pair(r);
      energy += 0.5 * phi.value;
      rho += density(r).value;
      sum = sum - (phi.slope / r) * apart;
    });
    force[atom] = sum;
    electron_density[atom] = rho;
    return energy;
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
    const double own_slope = embedding_slope[atom];
    for_each_neighbour(atom, box, [&](ndp::index_t other, const vec3& apart, double r) {
      sum = sum - ((own_slope + embedding_slope[other]) * density(r).slope / r) * apart;
    });
    force[atom] = sum;
  }

 private:
  /// Calls visit(other atom, position - other's position, distance) within the cutoff.
  template <typename Visit>
  FETTLE_HOST_DEVICE void for_each_neighbour(ndp::index_t atom, ndp::index_t box,
                                             Visit&& visit) const {
    const vec3 here = position[atom];
    const auto near = neighbours[box];
    for (ndp::index_t b = 0; b < near.size(); ++b) {
      const auto others = boxes[near[b]];
      for (ndp::index_t k = 0; k < others.size(); ++k) {
        const auto other = static_cast<ndp::index_t>(others[k]);
        const vec3 apart = nearest_image(here - position[other]);
        const double r2 = dot(apart, apart);
        if (r2 < cutoff * cutoff && other != atom) visit(other, apart, std::sqrt(r2));
      }
    }
  }

  /// Of an atom's images in the repeated cube, the one that is nearest.
  FETTLE_HOST_DEVICE vec3 nearest_image(const vec3& apart) const {
    return {nearest_image(apart.x), nearest_image(apart.y), nearest_image(apart.z)};
  }
  FETTLE_HOST_DEVICE double nearest_image(double along) const {
    if (along > 0.5 * side) return along - side;
    if (along < -0.5 * side) return along + side;
    return along;
  }
};

}  // namespace examples
