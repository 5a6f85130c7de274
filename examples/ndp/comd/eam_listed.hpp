// Embedded-atom forces, listed form: what listing 7 does, but each atom's neighbours are found
// once.
//
//   lists      map   the neighbours of an atom, of which one candidate in seven is one
//   pairs      map   pass 1 over the listed ones
//   embedding  map   pass 2
//   forces     map   pass 3 over them
//
// Passes 1 and 3 look at the candidates of all 27 boxes in the other forms. Here they take what the
// list holds, without a branch, so that a processor computes several neighbours at a time. Lists
// are made anew in every call: atoms may have moved.
#pragma once

#include "eam_redistributed.hpp"

namespace examples {

/// Room for the neighbours of every atom.
struct neighbour_lists {
  static constexpr int room = 96;  // copper has 54 within the cutoff

  ndp::tiled_sequence<ndp::sequence<int>> rows;  // of `room` numbers, one an atom
  ndp::sequence<int> lengths;                    // as found; `room` and more do not fit

  /// Whether the list holds all of an atom's neighbours.
  [[nodiscard]] FETTLE_HOST_DEVICE bool is_whole(ndp::index_t atom) const {
    return lengths[atom] < room;
  }
  [[nodiscard]] FETTLE_HOST_DEVICE ndp::sequence<int> of(ndp::index_t atom) const {
    return ndp::subsequence(rows[atom], 0, lengths[atom]);
  }
};

/// Lists the neighbours of an atom.
template <typename System>
struct eam_list_functor {
  System sim;
  atoms_list list;
  neighbour_lists neighbours;

  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    const auto near = sim.neighbours[list.box_of[atom]];
    const auto row = neighbours.rows[atom];
    constexpr int last = neighbour_lists::room - 1;
    int found = 0;
    for (int b = 0; b < boxes_around; ++b) {
      sim.for_each_candidate(atom, near[b], [&](int other, const vec3& /*apart*/, int within) {
#ifdef __CUDACC__
        if (within != 0 && found < last) row[found] = other;
#else
        row[found < last ? found : last] = other;  // the next one overwrites it, or not
#endif
        found += within;
      });
    }
    neighbours.lengths[atom] = found;
  }
};

/// Pass 1 for an atom.
template <typename System>
struct eam_listed_pair_functor {
  System sim;
  atoms_list list;
  neighbour_lists neighbours;

  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    if (!neighbours.is_whole(atom)) {
      list.energy[atom] = sim.pair_pass(atom, list.box_of[atom]);
      return;
    }
    const ndp::sequence<int> others = neighbours.of(atom);
    const int count = static_cast<int>(others.size());
    double energy = 0;
    double density = 0;
    double x = 0;
    double y = 0;
    double z = 0;
#ifndef __CUDACC__
#pragma omp simd reduction(+ : energy, density, x, y, z)
#endif
    for (int k = 0; k < count; ++k) {
      const pair_sums one = sim.pair_term(sim.apart(atom, others[k]));
      energy += one.energy;
      density += one.density;
      x += one.force.x;
      y += one.force.y;
      z += one.force.z;
    }
    list.energy[atom] = energy;
    sim.electron_density[atom] = density;
    sim.force[atom] = {x, y, z};
  }
};

/// Pass 3 for an atom.
template <typename System>
struct eam_listed_force_functor {
  System sim;
  atoms_list list;
  neighbour_lists neighbours;

  FETTLE_HOST_DEVICE void operator()(ndp::index_t atom) const {
    if (!neighbours.is_whole(atom)) {
      sim.density_pass(atom, list.box_of[atom]);
      return;
    }
    const ndp::sequence<int> others = neighbours.of(atom);
    const int count = static_cast<int>(others.size());
    const double own_slope = sim.embedding_slope[atom];
    double x = 0;
    double y = 0;
    double z = 0;
#ifndef __CUDACC__
#pragma omp simd reduction(+ : x, y, z)
#endif
    for (int k = 0; k < count; ++k) {
      const double slopes = own_slope + sim.embedding_slope[others[k]];
      const vec3 one = sim.density_force(slopes, sim.apart(atom, others[k]));
      x += one.x;
      y += one.y;
      z += one.z;
    }
    sim.force[atom] = sim.force[atom] + vec3{x, y, z};
  }
};

/// As eam_forces_redistributed(); `neighbours` is room for the lists.
template <typename Platform, typename System>
double eam_forces_listed(const Platform& on, const System& sim, const atoms_list& list,
                         const neighbour_lists& neighbours, ndp::sequence<const int> s_order,
                         ndp::sequence<const vec3> s_position,
                         ndp::sequence<vec3> s_ordered_position, ndp::sequence<vec3> s_force) {
  ndp::execute<"comd_redistribute">(ndp::gather(s_position, s_order), s_ordered_position, on);

  auto s_domain = ndp::range(ndp::index_t{0}, list.n);
  ndp::execute<"comd_lists">(ndp::map(eam_list_functor<System>{sim, list, neighbours}, s_domain),
                             on);
  ndp::execute<"comd_pair_listed">(
      ndp::map(eam_listed_pair_functor<System>{sim, list, neighbours}, s_domain), on);
  ndp::execute<"comd_embedding_atoms">(ndp::map(eam_embedding_functor<System>{sim, list}, s_domain),
                                       on);
  ndp::execute<"comd_force_listed">(
      ndp::map(eam_listed_force_functor<System>{sim, list, neighbours}, s_domain), on);

  ndp::execute<"comd_distribute_back">(ndp::scatter(sim.force, s_order, s_force), on);
  return ndp::execute<"comd_energy">(ndp::reduce(ndp::plus{}, list.energy, 0.0), on);
}

}  // namespace examples
