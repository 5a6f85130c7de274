// Embedded-atom forces, redistributed form: the paper's listing 7.
//
// The atoms are first brought into the order of their boxes, so that neighbours lie side by side in
// memory and every atom knows its box. Then the passes are maps over a range of atoms whose
// functions return nothing and update their atom in place: one atom is one unit of parallel work.
#pragma once

#include "eam_system.hpp"

namespace examples {

/// The atoms in the order of their boxes.
struct atoms_list {
  ndp::index_t n;
  ndp::sequence<const int> box_of;
  ndp::sequence<double> energy;
};

template <typename System>
struct eam_pair_functor {
  System sim;
  atoms_list list;
  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    list.energy[atom] = sim.pair_pass(atom, list.box_of[atom]);
  }
};

template <typename System>
struct eam_embedding_functor {
  System sim;
  atoms_list list;
  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    list.energy[atom] += sim.embedding_pass(atom);
  }
};

template <typename System>
struct eam_force_functor {
  System sim;
  atoms_list list;
  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    sim.density_pass(atom, list.box_of[atom]);
  }
};

/// Brings `s_position` into the order `s_order` of the boxes, where `sim` reads it
/// (`s_ordered_position` is the memory behind sim.position), updates sim.force, and writes the
/// forces to `s_force` in the original order. Returns the energy of all atoms.
template <typename Platform, typename System>
double eam_forces_redistributed(const Platform& on, const System& sim, const atoms_list& list,
                                ndp::sequence<const int> s_order,
                                ndp::sequence<const vec3> s_position,
                                ndp::sequence<vec3> s_ordered_position,
                                ndp::sequence<vec3> s_force) {
  ndp::execute<"comd_redistribute">(ndp::gather(s_position, s_order), s_ordered_position, on);

  // In-place execute
  auto s_domain = ndp::range(ndp::index_t{0}, list.n);
  ndp::execute<"comd_pair_atoms">(ndp::map(eam_pair_functor<System>{sim, list}, s_domain), on);
  ndp::execute<"comd_embedding_atoms">(ndp::map(eam_embedding_functor<System>{sim, list}, s_domain),
                                       on);
  ndp::execute<"comd_force_atoms">(ndp::map(eam_force_functor<System>{sim, list}, s_domain), on);

  ndp::execute<"comd_distribute_back">(ndp::scatter(sim.force, s_order, s_force), on);
  return ndp::execute<"comd_energy">(ndp::reduce(ndp::plus{}, list.energy, 0.0), on);
}

}  // namespace examples
