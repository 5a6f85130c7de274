// comd [CELLS] [TILE]: embedded-atom energy and forces of a shaken copper lattice of CELLS^3 unit
// cells (four atoms each), directly by tiles of TILE atoms, redistributed, nested, and with lists
// of neighbours.
//
// They are compared with each other, on the perfect lattice with the sum over its shells, and on
// small lattices with the loops over all pairs.
#include "../support/program.hpp"
#include "copper.hpp"
#include "serial_eam.hpp"
#include "simulation.hpp"

namespace examples {

constexpr ndp::index_t most_atoms_for_pairs = 8000;

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const auto cells = static_cast<int>(given.number("CELLS", 12, 5, 200));
  const ndp::index_t tile_size = given.number("TILE", 64, 1, 1'000'000);
  given.end();
  // The density at an atom of the perfect lattice is 110.
  const potential_tables potential = potential_tables::of(copper{}, 20, 600);
  atoms all = fcc_lattice(cells, copper::lattice_constant);
  const auto count = static_cast<ndp::index_t>(all.positions.size());

  const double perfect = fcc_energy_per_atom(copper{});
  simulation<Platform> lattice(on, all, potential);
  require_same("comd: direct energy of the lattice",
               {lattice.direct(tile_size) / static_cast<double>(count)}, {perfect}, 1e-7);
  require_same("comd: redistributed energy of the lattice",
               {lattice.redistributed() / static_cast<double>(count)}, {perfect}, 1e-7);

  shake(all, 0.1);
  simulation<Platform> shaken(on, all, potential);
  double direct_energy = 0;
  const double direct_seconds = seconds_of(on, [&] { direct_energy = shaken.direct(tile_size); });
  const std::vector<double> direct = coordinates(shaken.forces());
  double redistributed_energy = 0;
  const double redistributed_seconds =
      seconds_of(on, [&] { redistributed_energy = shaken.redistributed(); });
  const std::vector<double> redistributed = coordinates(shaken.forces());
  require_same("comd: the forms' energies", {direct_energy}, {redistributed_energy});
  require_same("comd: the forms' forces", direct, redistributed);
  require_same("comd: the program's energy", {shaken.direct_as_program(tile_size)},
               {direct_energy});
  require_same("comd: the program's forces", coordinates(shaken.forces()), direct);
  require_same("comd: the nested form's energy", {shaken.nested()}, {redistributed_energy});
  require_same("comd: the nested form's forces", coordinates(shaken.forces()), redistributed);
  require_same("comd: the listed form's energy", {shaken.listed()}, {redistributed_energy});
  require_same("comd: the listed form's forces", coordinates(shaken.forces()), redistributed);

#ifndef __CUDACC__
  require_same("comd by lambdas: energy", {shaken.direct_by_lambdas(tile_size)}, {direct_energy});
  require_same("comd by lambdas: forces", coordinates(shaken.forces()), direct);
#endif

  if (count <= most_atoms_for_pairs) {
    const energy_and_forces expected = serial_eam(all, potential);
    require_same("comd: energy", {direct_energy}, {expected.energy});
    require_same("comd: forces", direct, coordinates(expected.forces));
  }
  char redistributed_time[64];
  std::snprintf(redistributed_time, sizeof redistributed_time, "redistributed %.4g ms",
                redistributed_seconds * 1e3);
  report("comd",
         std::to_string(count) + " atoms, " + redistributed_time + ", direct by tiles of " +
             std::to_string(tile_size),
         direct_seconds,
         count <= most_atoms_for_pairs ? "equal to the serial loop's" : "both agree");
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("comd", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
