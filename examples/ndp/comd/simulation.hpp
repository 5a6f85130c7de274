// The memory of a force calculation, on either platform, and the four ways to make it.
#pragma once

#include "../support/platform.hpp"
#include "eam_direct.hpp"
#include "eam_listed.hpp"
#include "eam_nested.hpp"
#include "eam_program.hpp"
#include "eam_redistributed.hpp"
#include "link_cells.hpp"

namespace examples {

/// A table's values where the platform can read them.
template <typename Platform>
struct table_on {
  double first;
  double steps_per_unit;
  vector_on<Platform, double> values;

  table_on(const Platform& on, const table& t)
      : first(t.first), steps_per_unit(t.steps_per_unit), values(copy_to(on, t.values)) {}

  [[nodiscard]] table_view view() const { return {first, steps_per_unit, read_only(values)}; }
};

/// Copies atoms and potential to the platform and sorts the atoms into boxes; then any form may
/// be called, again and again. Not copyable: views refer into it.
template <typename Platform>
class simulation {
 public:
  simulation(const Platform& on, const atoms& all, const potential_tables& potential)
      : simulation(on, all, potential, make_link_cells(all, potential.cutoff)) {}
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Listing 6, with tiles of `tile_size` atoms. Returns the energy of all atoms.
  double direct(ndp::index_t tile_size = 64) {
    auto s_result = tile_results(tile_size);
    return eam_forces_direct(on_, direct_system(), read_only(box_atoms_), read_only(box_of_),
                             tile_size, s_result);
  }

  /// The same as a program, which writes the energy of all atoms and their forces.
  [[nodiscard]] auto direct_program(ndp::sequence<double> energy, ndp::index_t tile_size = 64) {
    return eam_program<Platform>(direct_system(), read_only(box_atoms_), read_only(box_of_),
                                 tile_size, energy);
  }
  /// ... executed once. Returns the energy of all atoms.
  double direct_as_program(ndp::index_t tile_size = 64) {
    auto energy = copy_to(on_, std::vector<double>{0.0});
    auto p = direct_program(ndp::make_sequence(energy), tile_size);
    p.execute(on_);
    wait(on_);
    return copy_to_host(energy)[0];
  }

#ifndef __CUDACC__
  double direct_by_lambdas(ndp::index_t tile_size = 64) {
    auto s_result = tile_results(tile_size);
    return eam_forces_direct_by_lambdas(on_, direct_system(), read_only(box_atoms_),
                                        read_only(box_of_), tile_size, s_result);
  }
#endif

  /// Listing 7. Returns the energy of all atoms.
  double redistributed() {
    return eam_forces_redistributed(on_, ordered_system(), list(), read_only(box_atoms_),
                                    read_only(position_), ndp::make_sequence(ordered_position_),
                                    ndp::make_sequence(force_));
  }

  /// Listing 7 with the boxes around an atom in parallel. Returns the energy of all atoms.
  double nested() {
    return eam_forces_nested(on_, ordered_system(), list(), read_only(box_atoms_),
                             read_only(position_), ndp::make_sequence(ordered_position_),
                             ndp::make_sequence(sums_), ndp::make_sequence(force_));
  }

  /// Listing 7 with lists of neighbours. Returns the energy of all atoms.
  double listed() {
    const auto rows = ndp::split(ndp::make_sequence(neighbour_rows_), neighbour_lists::room);
    return eam_forces_listed(on_, ordered_system(), list(),
                             {rows, ndp::make_sequence(neighbour_lengths_)}, read_only(box_atoms_),
                             read_only(position_), ndp::make_sequence(ordered_position_),
                             ndp::make_sequence(force_));
  }

  /// What the last call has left, atoms in their original order.
  [[nodiscard]] std::vector<vec3> forces() const { return copy_to_host(force_); }

 private:
  simulation(const Platform& on, const atoms& all, const potential_tables& potential,
             const link_cells& cells)
      : on_(on),
        side_(all.side),
        cutoff_(potential.cutoff),
        pair_(on, potential.pair),
        density_(on, potential.density),
        embedding_(on, potential.embedding),
        position_(copy_to(on, all.positions)),
        box_offsets_(copy_to(on, cells.box_offsets)),
        box_atoms_(copy_to(on, cells.box_atoms)),
        box_of_(copy_to(on, cells.box_of)),
        neighbours_(copy_to(on, cells.neighbours)),
        force_(all.positions.size()),
        ordered_position_(all.positions.size()),
        ordered_force_(all.positions.size()),
        electron_density_(all.positions.size()),
        embedding_slope_(all.positions.size()),
        energy_(all.positions.size()),
        sums_(all.positions.size()),
        neighbour_rows_(neighbour_lists::room * all.positions.size()),
        neighbour_lengths_(all.positions.size()),
        tile_energy_(all.positions.size()) {}

  [[nodiscard]] ndp::index_t count() const { return static_cast<ndp::index_t>(position_.size()); }

  template <typename Boxes>
  [[nodiscard]] eam_system<Boxes> system(const Boxes& boxes, ndp::sequence<const vec3> position,
                                         ndp::sequence<vec3> force) {
    return {side_,
            cutoff_,
            pair_.view(),
            density_.view(),
            embedding_.view(),
            boxes,
            ndp::split(read_only(neighbours_), boxes_around),
            position,
            force,
            ndp::make_sequence(electron_density_),
            ndp::make_sequence(embedding_slope_)};
  }

  // The boxes list the atoms by number.
  [[nodiscard]] auto direct_system() {
    return system(ndp::nest(read_only(box_atoms_), read_only(box_offsets_)), read_only(position_),
                  ndp::make_sequence(force_));
  }

  // The boxes hold consecutive atoms of the list.
  [[nodiscard]] auto ordered_system() {
    return system(ndp::nest(ndp::range(ndp::index_t{0}, count()), read_only(box_offsets_)),
                  read_only(ordered_position_), ndp::make_sequence(ordered_force_));
  }

  [[nodiscard]] atoms_list list() {
    return {count(), read_only(box_of_), ndp::make_sequence(energy_)};
  }

  // Room for tiles of one atom, of which as many as there are tiles are used.
  [[nodiscard]] ndp::sequence<double> tile_results(ndp::index_t tile_size) {
    return ndp::subsequence(ndp::make_sequence(tile_energy_), 0,
                            (count() + tile_size - 1) / tile_size);
  }

  Platform on_;
  double side_;
  double cutoff_;
  table_on<Platform> pair_;
  table_on<Platform> density_;
  table_on<Platform> embedding_;
  vector_on<Platform, vec3> position_;
  vector_on<Platform, int> box_offsets_;
  vector_on<Platform, int> box_atoms_;
  vector_on<Platform, int> box_of_;
  vector_on<Platform, near_box> neighbours_;
  vector_on<Platform, vec3> force_;
  vector_on<Platform, vec3> ordered_position_;
  vector_on<Platform, vec3> ordered_force_;
  vector_on<Platform, double> electron_density_;
  vector_on<Platform, double> embedding_slope_;
  vector_on<Platform, double> energy_;
  vector_on<Platform, pair_sums> sums_;
  vector_on<Platform, int> neighbour_rows_;
  vector_on<Platform, int> neighbour_lengths_;
  vector_on<Platform, double> tile_energy_;
};

/// Forces as plain numbers, three an atom.
[[nodiscard]] inline std::vector<double> coordinates(const std::vector<vec3>& vectors) {
  std::vector<double> out;
  for (const vec3& v : vectors) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

}  // namespace examples
