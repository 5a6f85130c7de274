// Embedded-atom forces, direct form: the paper's listing 6.
//
// The boxes are split into tiles; a map over the tiles updates the forces of their atoms and
// returns each tile's energy, the sum over its boxes: map > reduce. The tiles' energies are then
// reduced. Atoms stay where the program has them; boxes list them by number.
#pragma once

#include "eam_system.hpp"

namespace examples {

/// Pass 1 for the atoms of a box: their pair energy.
template <typename System>
struct box_pair_pass {
  System system;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t box) const {
    double energy = 0;
    const auto atoms = system.boxes[box];
    for (ndp::index_t k = 0; k < atoms.size(); ++k) energy += system.pair_pass(atoms[k], box);
    return energy;
  }
};

/// Pass 2 for the atoms of a box: their embedding energy.
template <typename System>
struct box_embedding_pass {
  System system;
  FETTLE_HOST_DEVICE double operator()(ndp::index_t box) const {
    double energy = 0;
    const auto atoms = system.boxes[box];
    for (ndp::index_t k = 0; k < atoms.size(); ++k) energy += system.embedding_pass(atoms[k]);
    return energy;
  }
};

/// The sum of a pass over the boxes of a tile.
template <typename BoxPass>
struct tile_energy {
  BoxPass pass;
  template <typename Tile>
  FETTLE_HOST_DEVICE auto operator()(Tile tile, ndp::index_t /*count*/) const {
    return ndp::reduce(ndp::plus{}, ndp::map(pass, tile), 0.0);
  }
};

/// Pass 3 for the atoms of a tile.
template <typename System>
struct tile_density_pass {
  System system;
  template <typename Tile>
  FETTLE_HOST_DEVICE void operator()(Tile tile, ndp::index_t /*count*/) const {
    for (ndp::index_t b = 0; b < tile.size(); ++b) {
      const auto atoms = system.boxes[tile[b]];
      for (ndp::index_t k = 0; k < atoms.size(); ++k) system.density_pass(atoms[k], tile[b]);
    }
  }
};

/// Updates system.force and returns the energy of all atoms. s_result has an element for every tile
/// of `tile_size` boxes.
template <typename Platform, typename System>
double eam_forces_direct(const Platform& on, const System& system, ndp::index_t tile_size,
                         ndp::sequence<double> s_result) {
  auto s_boxes = ndp::range(ndp::index_t{0}, system.boxes.size());
  auto s_space = ndp::split(s_boxes, tile_size);
  auto s_count_range = ndp::range(ndp::index_t{0}, s_space.size());

  // Compute partial reductions into s_result, then reduce the partials, for passes 1 and 2
  tile_energy<box_pair_pass<System>> pair_pass{{system}};
  ndp::execute<"comd_pair_tiles">(ndp::map(pair_pass, s_space, s_count_range), s_result, on);
  double etot = ndp::execute<"comd_partials">(ndp::reduce(ndp::plus{}, s_result, 0.0), on);

  tile_energy<box_embedding_pass<System>> embedding_pass{{system}};
  ndp::execute<"comd_embedding_tiles">(ndp::map(embedding_pass, s_space, s_count_range), s_result,
                                       on);
  etot += ndp::execute<"comd_partials">(ndp::reduce(ndp::plus{}, s_result, 0.0), on);

  tile_density_pass<System> density_pass{system};
  ndp::execute<"comd_density_tiles">(ndp::map(density_pass, s_space, s_count_range), on);
  return etot;
}

#ifndef __CUDACC__

/// The same, as the paper's listing 6 spells it: a loop over the tile in a lambda.
template <typename Platform, typename System>
double eam_forces_direct_by_lambdas(const Platform& on, const System& system,
                                    ndp::index_t tile_size, ndp::sequence<double> s_result) {
  using namespace fettle::ndp;
  using real_t = double;
  auto s_boxes = range(index_t{0}, system.boxes.size());
  auto s_space = split(s_boxes, tile_size);
  auto s_count_range = range(index_t{0}, s_space.size());
  using tile_t = decltype(s_space[0]);

  execute(map(
              [=](tile_t tile, index_t) {
                real_t etot = 0.;
                for (index_t b = 0; b < tile.size(); ++b) {
                  for (index_t atom : system.boxes[tile[b]])
                    etot += system.pair_pass(atom, tile[b]);
                }
                return etot;
              },
              s_space, s_count_range),
          s_result, on);
  real_t total = execute(reduce(plus{}, s_result, 0.0), on);

  execute(map(
              [=](tile_t tile, index_t) {
                real_t etot = 0.;
                for (index_t b = 0; b < tile.size(); ++b) {
                  for (index_t atom : system.boxes[tile[b]]) etot += system.embedding_pass(atom);
                }
                return etot;
              },
              s_space, s_count_range),
          s_result, on);
  total += execute(reduce(plus{}, s_result, 0.0), on);

  execute(map(
              [=](tile_t tile, index_t) {
                for (index_t b = 0; b < tile.size(); ++b) {
                  for (index_t atom : system.boxes[tile[b]]) system.density_pass(atom, tile[b]);
                }
              },
              s_space, s_count_range),
          on);
  return total;
}

#endif

}  // namespace examples
