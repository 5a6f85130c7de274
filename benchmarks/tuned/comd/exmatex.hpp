// The embedded-atom force of the CoMD proxy application (ExMatEx, eam.c), the paper's reference:
// its data layout, its three loops and its interpolation, on the host by threads and, through
// exmatex.cuh, on a GPU by a thread an atom.
//
// Every box has room for max_atoms atoms, whose positions lie side by side; box b's i-th atom is in
// slot max_atoms * b + i. CoMD keeps copies of the boxes beyond the faces and brings them up to
// date before every call; here, as in Fettle's forms, the boxes at the opposite faces stand for
// them.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>

#include "../../../examples/ndp/comd/link_cells.hpp"
#include "../../../examples/ndp/comd/table.hpp"

namespace ndp_tuned::exmatex {

using examples::vec3;

inline constexpr int max_atoms = 64;  // CoMD's MAXATOMS

/// CoMD's InterpolationObject: values[0] is one step before x0.
struct interpolation {
  int n;
  double x0;
  double inverse_dx;
  const double* values;
};

/// Value and slope at x.
FETTLE_HOST_DEVICE inline void interpolate(const interpolation& table, double x, double* f,
                                           double* df) {
  const double* tt = table.values + 1;
  if (x < table.x0) x = table.x0;
  x = (x - table.x0) * table.inverse_dx;
  if (x > table.n) x = table.n;
  const int ii = static_cast<int>(x);
  x -= ii;
  const double g1 = tt[ii + 1] - tt[ii - 1];
  const double g2 = tt[ii + 2] - tt[ii];
  *f = tt[ii] + 0.5 * x * (g1 + x * (tt[ii + 1] + tt[ii - 1] - 2.0 * tt[ii]));
  *df = 0.5 * (g1 + x * (g2 - g1)) * table.inverse_dx;
}

/// Pointers to everything.
struct arrays {
  int boxes;
  double side;
  double cutoff;
  interpolation phi;
  interpolation rho;
  interpolation f;
  const int* n_atoms;                    // of each box
  const examples::near_box* neighbours;  // 27 of each box
  const vec3* r;                         // positions, by slot
  vec3* force;
  double* energy;
  double* rhobar;
  double* df_embed;
};

/// visit(slot of the other atom, dr, r) for all atoms within the cutoff.
template <typename Visit>
FETTLE_HOST_DEVICE void for_each_pair(const arrays& s, int box, int slot, const Visit& visit) {
  const double r_cut2 = s.cutoff * s.cutoff;
  for (int around = 0; around < examples::boxes_around; ++around) {
    const examples::near_box near = s.neighbours[box * examples::boxes_around + around];
    const vec3 here = near.seen_from_atoms(s.r[slot], s.side);
    const int end = max_atoms * near.box + s.n_atoms[near.box];
    for (int j = max_atoms * near.box; j < end; ++j) {
      const vec3 dr = here - s.r[j];
      const double r2 = dot(dr, dr);
      if (r2 <= r_cut2 && r2 > 0.0) visit(j, dr, std::sqrt(r2));
    }
  }
}

/// The first loop: pair energy and force, and the density.
FETTLE_HOST_DEVICE inline void pair_loop(const arrays& s, int box, int slot) {
  vec3 force;
  double energy = 0;
  double rhobar = 0;
  for_each_pair(s, box, slot, [&](int, const vec3& dr, double r) {
    double phi = 0;
    double d_phi = 0;
    double rho = 0;
    double d_rho = 0;
    interpolate(s.phi, r, &phi, &d_phi);
    interpolate(s.rho, r, &rho, &d_rho);
    force = force - (d_phi / r) * dr;
    energy += 0.5 * phi;
    rhobar += rho;
  });
  s.force[slot] = force;
  s.energy[slot] = energy;
  s.rhobar[slot] = rhobar;
}

/// The second: the energy of embedding.
FETTLE_HOST_DEVICE inline void embedding_loop(const arrays& s, int slot) {
  double f = 0;
  double d_f = 0;
  interpolate(s.f, s.rhobar[slot], &f, &d_f);
  s.df_embed[slot] = d_f;
  s.energy[slot] += f;
}

/// The third: the force that comes from the densities.
FETTLE_HOST_DEVICE inline void density_loop(const arrays& s, int box, int slot) {
  vec3 force = s.force[slot];
  const double own = s.df_embed[slot];
  for_each_pair(s, box, slot, [&](int other, const vec3& dr, double r) {
    double rho = 0;
    double d_rho = 0;
    interpolate(s.rho, r, &rho, &d_rho);
    force = force - ((own + s.df_embed[other]) * d_rho / r) * dr;
  });
  s.force[slot] = force;
}

/// eamForce() on the host. Returns the energy of all atoms.
inline double eam_force(const arrays& s) {
  double energy = 0;
#pragma omp parallel reduction(+ : energy)
  {
    const auto for_each_atom = [&](auto&& body) {
#pragma omp for schedule(static)
      for (int box = 0; box < s.boxes; ++box) {
        for (int i = 0; i < s.n_atoms[box]; ++i) body(box, max_atoms * box + i);
      }
    };
    for_each_atom([&](int box, int slot) { pair_loop(s, box, slot); });
    for_each_atom([&](int, int slot) {
      embedding_loop(s, slot);
      energy += s.energy[slot];
    });
    for_each_atom([&](int box, int slot) { density_loop(s, box, slot); });
  }
  return energy;
}

/// The atoms as CoMD stores them, on the host.
struct link_cell_atoms {
  std::vector<int> n_atoms;
  std::vector<examples::near_box> neighbours;
  std::vector<vec3> r;
  std::vector<int> slot_of;  ///< each atom's slot

  link_cell_atoms(const examples::atoms& all, double cutoff) : slot_of(all.positions.size()) {
    examples::link_cells cells = examples::make_link_cells(all, cutoff);
    const auto boxes = static_cast<std::size_t>(cells.boxes());
    r.resize(boxes * max_atoms);
    neighbours = std::move(cells.neighbours);
    for (std::size_t box = 0; box < boxes; ++box) {
      const int first = cells.box_offsets[box];
      n_atoms.push_back(cells.box_offsets[box + 1] - first);
      if (n_atoms.back() > max_atoms) {
        throw fettle::error("a box has more than " + std::to_string(max_atoms) + " atoms");
      }
      for (int i = 0; i < n_atoms.back(); ++i) {
        const auto atom = static_cast<std::size_t>(cells.box_atoms[std::size_t(first + i)]);
        slot_of[atom] = static_cast<int>(box) * max_atoms + i;
        r[static_cast<std::size_t>(slot_of[atom])] = all.positions[atom];
      }
    }
  }
};

[[nodiscard]] inline interpolation view_of(const examples::table& t, const double* values) {
  return {static_cast<int>(t.values.size()) - 4, t.first, t.steps_per_unit, values};
}

}  // namespace ndp_tuned::exmatex
