// The CoMD example: energies and forces of copper, by all forms, against lattice sums, plain loops
// over pairs and the energy's numerical gradient.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "comd/copper.hpp"
#include "comd/serial_eam.hpp"
#include "comd/simulation.hpp"
#include "support/catch.hpp"

namespace {

using namespace examples;
using platform = fettle::ndp::platform::openmp;

constexpr int cells = 5;  // the narrowest cube that is three cutoffs wide

const potential_tables& tables() {
  static const potential_tables made = potential_tables::of(copper{}, 20, 600);
  return made;
}

atoms shaken_lattice() {
  atoms all = fcc_lattice(cells, copper::lattice_constant);
  shake(all, 0.2);
  return all;
}

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

double largest_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  std::vector<double> differences = coordinates(a);
  const std::vector<double> others = coordinates(b);
  REQUIRE(differences.size() == others.size());
  for (std::size_t i = 0; i < others.size(); ++i) differences[i] -= others[i];
  return largest(differences);
}

// How many neighbours the atoms have at least and at most.
std::pair<int, int> neighbours_within(const atoms& all, double cutoff) {
  const auto image = [&](double d) { return d - all.side * std::round(d / all.side); };
  std::vector<int> counts;
  for (const vec3& a : all.positions) {
    counts.push_back(static_cast<int>(
        std::count_if(all.positions.begin(), all.positions.end(), [&](const vec3& b) {
          const vec3 d{image(a.x - b.x), image(a.y - b.y), image(a.z - b.z)};
          return &a != &b && dot(d, d) < cutoff * cutoff;
        })));
  }
  const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
  return {*fewest, *most};
}

}  // namespace

TEST_CASE("tables give the potential's values and slopes") {
  const table_view pair{tables().pair.first, tables().pair.steps_per_unit,
                        fettle::ndp::make_sequence(tables().pair.values)};
  for (double r = 2; r < copper::cutoff; r += 0.0137) {
    const double h = 1e-4;
    INFO("distance " << r);
    CHECK(pair(r).value == approx(copper::pair(r)).margin(1e-6));
    CHECK(pair(r).slope ==
          approx((copper::pair(r + h) - copper::pair(r - h)) / (2 * h)).epsilon(1e-3).margin(1e-4));
  }
  CHECK(pair(copper::cutoff).value == 0);
  CHECK(pair(2 * copper::cutoff).value == 0);
}

TEST_CASE("link cells hold every atom once and know 27 neighbours each") {
  const atoms all = shaken_lattice();
  const link_cells boxes = make_link_cells(all, copper::cutoff);
  CHECK(boxes.per_side == 3);
  std::vector<int> listed = boxes.box_atoms;
  std::sort(listed.begin(), listed.end());
  for (std::size_t i = 0; i < all.positions.size(); ++i) REQUIRE(listed[i] == static_cast<int>(i));
  CHECK(boxes.box_offsets.back() == static_cast<int>(listed.size()));
  REQUIRE(boxes.neighbours.size() == static_cast<std::size_t>(27 * boxes.boxes()));
  for (auto first = boxes.neighbours.begin(); first != boxes.neighbours.end(); first += 27) {
    std::set<int> different;
    std::for_each(first, first + 27, [&](const near_box& near) { different.insert(near.box); });
    CHECK(different.size() == 27);
  }
}

TEST_CASE("link cells refuse a cube in which boxes would be neighbours twice") {
  CHECK_THROWS_AS(make_link_cells(fcc_lattice(4, copper::lattice_constant), copper::cutoff),
                  fettle::error);
}

TEST_CASE("the perfect lattice has the energy of its shells and no forces") {
  const double expected = fcc_energy_per_atom(copper{});
  CHECK(expected == approx(-3.4).margin(0.2));  // copper's cohesive energy is 3.49 eV
  const atoms all = fcc_lattice(cells, copper::lattice_constant);
  simulation<platform> lattice({}, all, tables());
  const auto count = static_cast<double>(all.positions.size());

  CHECK(lattice.direct() / count == approx(expected).epsilon(1e-7));
  CHECK(largest(coordinates(lattice.forces())) < 1e-9);
  CHECK(lattice.redistributed() / count == approx(expected).epsilon(1e-7));
  CHECK(largest(coordinates(lattice.forces())) < 1e-9);
  CHECK(lattice.nested() / count == approx(expected).epsilon(1e-7));
  CHECK(largest(coordinates(lattice.forces())) < 1e-9);
  CHECK(lattice.listed() / count == approx(expected).epsilon(1e-7));
  CHECK(largest(coordinates(lattice.forces())) < 1e-9);
}

TEST_CASE("all forms agree with plain loops over all pairs") {
  const atoms all = shaken_lattice();
  const energy_and_forces expected = serial_eam(all, tables());
  REQUIRE(largest(coordinates(expected.forces)) > 0.5);
  simulation<platform> shaken({}, all, tables());

  for (const fettle::ndp::index_t tile : {1, 7, 64, 500, 1000}) {
    INFO("tiles of " << tile << " atoms");
    CHECK(shaken.direct(tile) == approx(expected.energy).epsilon(1e-12));
    CHECK(largest_difference(shaken.forces(), expected.forces) < 1e-10);
    CHECK(shaken.direct_by_lambdas(tile) == approx(expected.energy).epsilon(1e-12));
    CHECK(largest_difference(shaken.forces(), expected.forces) < 1e-10);
  }
  CHECK(shaken.redistributed() == approx(expected.energy).epsilon(1e-12));
  CHECK(largest_difference(shaken.forces(), expected.forces) < 1e-10);
  CHECK(shaken.nested() == approx(expected.energy).epsilon(1e-12));
  CHECK(largest_difference(shaken.forces(), expected.forces) < 1e-10);
  CHECK(shaken.listed() == approx(expected.energy).epsilon(1e-12));
  CHECK(largest_difference(shaken.forces(), expected.forces) < 1e-10);
}

TEST_CASE("atoms with more neighbours than a list has room for are computed without one") {
  // A dense lattice in which some atoms have too many, and a denser one in which all have.
  for (const bool some : {true, false}) {
    atoms all = fcc_lattice(6, (some ? 0.84 : 0.78) * copper::lattice_constant);
    shake(all, 0.2);
    const auto [fewest, most] = neighbours_within(all, copper::cutoff);
    CHECK((fewest < neighbour_lists::room) == some);
    CHECK(most >= neighbour_lists::room);
    const energy_and_forces expected = serial_eam(all, tables());
    simulation<platform> dense({}, all, tables());
    CHECK(dense.listed() == approx(expected.energy).epsilon(1e-12));
    CHECK(largest_difference(dense.forces(), expected.forces) < 1e-9);
  }
}

TEST_CASE("forces are the energy's negative gradient and add up to nothing") {
  const atoms all = shaken_lattice();
  simulation<platform> shaken({}, all, tables());
  shaken.redistributed();
  const std::vector<vec3> forces = shaken.forces();
  vec3 sum;
  for (const vec3& force : forces) sum = sum + force;
  CHECK(largest({sum.x, sum.y, sum.z}) < 1e-9);

  const auto energy_with = [&](std::size_t atom, double vec3::* coordinate, double moved) {
    atoms other = all;
    other.positions[atom].*coordinate += moved;
    return simulation<platform>({}, other, tables()).redistributed();
  };
  constexpr double h = 1e-3;
  for (const std::size_t atom : {std::size_t{0}, std::size_t{123}, std::size_t{499}}) {
    for (double vec3::* coordinate : {&vec3::x, &vec3::y, &vec3::z}) {
      const double slope =
          (energy_with(atom, coordinate, h) - energy_with(atom, coordinate, -h)) / (2 * h);
      CHECK(forces[atom].*coordinate == approx(-slope).margin(2e-4));
    }
  }
}
