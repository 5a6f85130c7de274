// Embedded-atom forces, direct form: the paper's listing 6.
//
// The atom space is split into tiles; a map over the tiles updates their atoms and returns each
// tile's energy, a sum: map > reduce. The tiles' energies are then reduced. The last pass yields no
// energy and is a plain map. Atoms stay where the program has them; the space lists them by number,
// box by box.
#pragma once

#include "eam_system.hpp"

namespace examples {

/// An atom and its box: an element of the space.
using atom_in_box = ndp::tuple<int, int>;

/// Pass 1 for an atom: its pair energy.
template <typename System>
struct direct_pair_pass {
  System system;
  FETTLE_HOST_DEVICE double operator()(const atom_in_box& a) const {
    return system.pair_pass(ndp::get<0>(a), ndp::get<1>(a));
  }
};

/// Pass 2 for an atom: its embedding energy.
template <typename System>
struct direct_embedding_pass {
  System system;
  FETTLE_HOST_DEVICE double operator()(const atom_in_box& a) const {
    return system.embedding_pass(ndp::get<0>(a));
  }
};

/// Pass 3 for an atom.
template <typename System>
struct direct_density_pass {
  System system;
  FETTLE_HOST_DEVICE void operator()(const atom_in_box& a) const {
    system.density_pass(ndp::get<0>(a), ndp::get<1>(a));
  }
};

/// The energy of a tile's atoms.
template <typename Pass>
struct tile_energy {
  Pass pass;
  template <typename Tile>
  FETTLE_HOST_DEVICE auto operator()(Tile tile) const {
    return ndp::reduce(ndp::plus{}, ndp::map(pass, tile), 0.0);
  }
};

/// Updates system.force and returns the energy of all atoms. The space is the zip of the boxes'
/// atoms and their boxes; s_result has an element for every tile of `tile_size` atoms.
template <typename Platform, typename System>
double eam_forces_direct(const Platform& on, const System& system,
                         ndp::sequence<const int> s_box_atoms, ndp::sequence<const int> s_box_of,
                         ndp::index_t tile_size, ndp::sequence<double> s_result) {
  auto s_atoms = ndp::zip(s_box_atoms, s_box_of);
  auto s_space = ndp::split(s_atoms, tile_size);

  // Compute partial reductions into s_result, then reduce the partials
  tile_energy<direct_pair_pass<System>> pair_pass{{system}};
  ndp::execute<"comd_pair_tiles">(ndp::map(pair_pass, s_space), s_result, on);
  double etot = ndp::execute<"comd_partials">(ndp::reduce(ndp::plus{}, s_result, 0.0), on);

  tile_energy<direct_embedding_pass<System>> embedding_pass{{system}};
  ndp::execute<"comd_embedding_tiles">(ndp::map(embedding_pass, s_space), s_result, on);
  etot += ndp::execute<"comd_partials">(ndp::reduce(ndp::plus{}, s_result, 0.0), on);

  ndp::execute<"comd_density_atoms">(ndp::map(direct_density_pass<System>{system}, s_atoms), on);
  return etot;
}

#ifndef __CUDACC__

/// The same, as the paper's listing 6 spells it: a loop over the tile in a lambda.
template <typename Platform, typename System>
double eam_forces_direct_by_lambdas(const Platform& on, const System& system,
                                    ndp::sequence<const int> s_box_atoms,
                                    ndp::sequence<const int> s_box_of, ndp::index_t tile_size,
                                    ndp::sequence<double> s_result) {
  using namespace fettle::ndp;
  using real_t = double;
  auto s_atoms = zip(s_box_atoms, s_box_of);
  auto s_space = split(s_atoms, tile_size);
  auto s_count_range = range(index_t{0}, s_space.size());
  using tile_t = decltype(s_space[0]);

  execute(map(
              [=](tile_t tile, index_t) {
                real_t etot = 0.;
                for (index_t i = 0; i < tile.size(); ++i) {
                  const auto [atom, box] = tile[i];
                  etot += system.pair_pass(atom, box);
                }
                return etot;
              },
              s_space, s_count_range),
          s_result, on);
  real_t total = execute(reduce(plus{}, s_result, 0.0), on);

  execute(map(
              [=](tile_t tile, index_t) {
                real_t etot = 0.;
                for (index_t i = 0; i < tile.size(); ++i) {
                  etot += system.embedding_pass(get<0>(tile[i]));
                }
                return etot;
              },
              s_space, s_count_range),
          s_result, on);
  total += execute(reduce(plus{}, s_result, 0.0), on);

  execute(map(
              [=](tile_t tile, index_t) {
                for (index_t i = 0; i < tile.size(); ++i) {
                  const auto [atom, box] = tile[i];
                  system.density_pass(atom, box);
                }
              },
              s_space, s_count_range),
          on);
  return total;
}

#endif

}  // namespace examples
