// The inputs of CoMD, "atoms:cells=C,tile=T": a shaken copper lattice of C^3 unit cells, 4 atoms
// each.
#pragma once

#include <string>

#include "../../../examples/ndp/comd/copper.hpp"
#include "../../../examples/ndp/comd/lattice.hpp"
#include "../../../examples/ndp/comd/table.hpp"
#include "../common/specification.hpp"

namespace ndp_tuned {

struct lattice_input {
  std::string name;
  ndp::index_t tile_size;
  examples::atoms all;
  examples::potential_tables potential;
};

[[nodiscard]] inline lattice_input make_lattice(const std::string& text) {
  using examples::copper;
  specification given(text, "atoms");
  const auto cells = static_cast<int>(given.number("cells", 12, 5, 200));
  const ndp::index_t tile_size = given.number("tile", 64, 1, 1'000'000);
  given.end();
  lattice_input made{text, tile_size, examples::fcc_lattice(cells, copper::lattice_constant),
                     // The density at an atom of the perfect lattice is 110.
                     examples::potential_tables::of(copper{}, 20, 600)};
  examples::shake(made.all, 0.1);
  return made;
}

}  // namespace ndp_tuned
