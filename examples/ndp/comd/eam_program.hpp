// Embedded-atom forces as a program: the passes of the direct form, whose energies need no memory
// of the user's and do not come to the host before all passes are done.
//
//   pairs             map > reduce   pass 1: the pair energy of each tile
//   pair_energy       reduce
//   embeddings        map > reduce   pass 2
//   embedding_energy  reduce
//   energy            map            both energies
//   forces            map            pass 3
//
// Passes update the system where they run, once each: they say that they are not deterministic, so
// that the program fuses none of them into what reads its result.
#pragma once

#include "eam_direct.hpp"

namespace examples {

/// A pass that is a computation of its own.
template <typename Pass>
struct pass_of_program : Pass {
  static constexpr bool is_deterministic = false;
};

/// Updates system.force, and `energy`, one value.
template <typename Platform, typename System>
ndp::basic_program<Platform> eam_program(const System& system, ndp::sequence<const int> s_box_atoms,
                                         ndp::sequence<const int> s_box_of, ndp::index_t tile_size,
                                         ndp::sequence<double> energy) {
  using pair_pass = pass_of_program<direct_pair_pass<System>>;
  using embedding_pass = pass_of_program<direct_embedding_pass<System>>;
  const auto s_atoms = ndp::zip(s_box_atoms, s_box_of);
  const auto s_space = ndp::split(s_atoms, tile_size);
  ndp::basic_program<Platform> p;
  const auto pairs = p.template add<"pairs">(ndp::map(tile_energy<pair_pass>{{{system}}}, s_space));
  const auto pair_energy = p.template add<"pair_energy">(ndp::reduce(ndp::plus{}, pairs, 0.0));
  const auto embeddings =
      p.template add<"embeddings">(ndp::map(tile_energy<embedding_pass>{{{system}}}, s_space));
  const auto embedding_energy =
      p.template add<"embedding_energy">(ndp::reduce(ndp::plus{}, embeddings, 0.0));
  p.template add<"energy">(ndp::map(ndp::plus{}, pair_energy, embedding_energy), energy);
  p.template add<"forces">(ndp::map(direct_density_pass<System>{system}, s_atoms));
  return p;
}

}  // namespace examples
