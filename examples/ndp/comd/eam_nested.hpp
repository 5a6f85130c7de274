// Embedded-atom forces, nested form: what listing 7 does, with the boxes around an atom as a level
// of parallelism of their own.
//
// An atom's sums are a reduction over its 27 boxes: map > reduce. So a platform may give an atom
// one thread or several, which matters where there are fewer atoms than threads.
#pragma once

#include "eam_redistributed.hpp"

namespace examples {

/// What the atoms of one box do to an atom; `Add` is the pass of the system.
template <typename System, typename Sum,
          void (System::*Add)(ndp::index_t, const near_box&, Sum&) const>
struct eam_sum_of_box {
  System sim;
  ndp::index_t atom;
  FETTLE_HOST_DEVICE Sum operator()(const near_box& box) const {
    Sum sum;
    (sim.*Add)(atom, box, sum);
    return sum;
  }
};

/// Pass 1 for an atom.
template <typename System>
struct eam_pair_sums {
  System sim;
  atoms_list list;
  FETTLE_HOST_DEVICE auto operator()(ndp::index_t atom) const {
    const auto boxes = sim.neighbours[list.box_of[atom]];
    eam_sum_of_box<System, pair_sums, &System::add_pairs> sum_of_box{sim, atom};
    return ndp::reduce(ndp::plus{}, ndp::map(sum_of_box, boxes), pair_sums{});
  }
};

/// Pass 2 for an atom.
template <typename System>
struct eam_embedding_of_sums {
  System sim;
  atoms_list list;
  ndp::sequence<const pair_sums> sums;
  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    const value_and_slope embedded = sim.embedding(sums[atom].density);
    sim.embedding_slope[atom] = embedded.slope;
    list.energy[atom] = sums[atom].energy + embedded.value;
  }
};

/// Pass 3 for an atom: the forces of all passes.
template <typename System>
struct eam_force_sums {
  System sim;
  atoms_list list;
  ndp::sequence<const pair_sums> sums;
  FETTLE_HOST_DEVICE auto operator()(ndp::index_t atom) const {
    const auto boxes = sim.neighbours[list.box_of[atom]];
    eam_sum_of_box<System, vec3, &System::add_density_forces> sum_of_box{sim, atom};
    return ndp::reduce(ndp::plus{}, ndp::map(sum_of_box, boxes), sums[atom].force);
  }
};

/// As eam_forces_redistributed(); `s_sums` is room for what pass 1 leaves of each atom.
template <typename Platform, typename System>
double eam_forces_nested(const Platform& on, const System& sim, const atoms_list& list,
                         ndp::sequence<const int> s_order, ndp::sequence<const vec3> s_position,
                         ndp::sequence<vec3> s_ordered_position, ndp::sequence<pair_sums> s_sums,
                         ndp::sequence<vec3> s_force) {
  ndp::execute<"comd_redistribute">(ndp::gather(s_position, s_order), s_ordered_position, on);

  auto s_domain = ndp::range(ndp::index_t{0}, list.n);
  const ndp::sequence<const pair_sums> sums = s_sums;
  ndp::execute<"comd_pair_boxes">(ndp::map(eam_pair_sums<System>{sim, list}, s_domain), s_sums, on);
  ndp::execute<"comd_embedding_sums">(
      ndp::map(eam_embedding_of_sums<System>{sim, list, sums}, s_domain), on);
  ndp::execute<"comd_density_boxes">(ndp::map(eam_force_sums<System>{sim, list, sums}, s_domain),
                                     sim.force, on);

  ndp::execute<"comd_distribute_back">(ndp::scatter(sim.force, s_order, s_force), on);
  return ndp::execute<"comd_energy">(ndp::reduce(ndp::plus{}, list.energy, 0.0), on);
}

}  // namespace examples
