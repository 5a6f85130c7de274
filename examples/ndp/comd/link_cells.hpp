// Link cells: the cube is cut into boxes at least as wide as the cutoff, so that all neighbours of
// an atom lie in its own box and the 26 around it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>

#include "lattice.hpp"

namespace examples {

inline constexpr int boxes_around = 27;  // a box and those that touch it

/// A box around another. The cube is repeated: beyond a face lies the box at the opposite face, and
/// the atoms that are meant are its atoms moved by the cube's side, up (1) or down (-1) an axis.
struct near_box {
  int box;
  signed char image[3];

  /// Where a position is as seen from the box's atoms where they are kept.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr vec3 seen_from_atoms(const vec3& position,
                                                                  double side) const {
    return {position.x - side * image[0], position.y - side * image[1],
            position.z - side * image[2]};
  }
};

struct link_cells {
  int per_side = 0;
  std::vector<int> box_offsets;  ///< box b holds box_atoms[box_offsets[b]] ... [box_offsets[b + 1])
  std::vector<int> box_atoms;    ///< atoms by box
  std::vector<int> box_of;       ///< box_of[k] is the box of atom box_atoms[k]
  std::vector<near_box> neighbours;  ///< 27 boxes for each box, itself among them

  [[nodiscard]] int boxes() const { return per_side * per_side * per_side; }
};

/// Throws where the cube is narrower than three cutoffs: boxes would be neighbours twice. O(atoms +
/// boxes).
[[nodiscard]] inline link_cells make_link_cells(const atoms& all, double cutoff) {
  link_cells cells;
  const int n = cells.per_side = static_cast<int>(all.side / cutoff);
  if (n < 3) {
    throw fettle::error("link cells need a cube of at least three cutoffs (" +
                        std::to_string(3 * cutoff) + "), not " + std::to_string(all.side));
  }
  const auto number = [n](int i, int j, int k) { return (i * n + j) * n + k; };
  const auto cell = [&](double x) {
    return std::clamp(static_cast<int>(x / all.side * n), 0, n - 1);
  };

  std::vector<int> box_of_atom;
  cells.box_offsets.assign(static_cast<std::size_t>(cells.boxes()) + 1, 0);
  for (const vec3& p : all.positions) {
    box_of_atom.push_back(number(cell(p.x), cell(p.y), cell(p.z)));
    ++cells.box_offsets[static_cast<std::size_t>(box_of_atom.back()) + 1];
  }
  for (std::size_t b = 1; b < cells.box_offsets.size(); ++b) {
    cells.box_offsets[b] += cells.box_offsets[b - 1];
  }
  std::vector<int> next(cells.box_offsets.begin(), cells.box_offsets.end() - 1);
  cells.box_atoms.resize(all.positions.size());
  cells.box_of.resize(all.positions.size());
  for (std::size_t atom = 0; atom < all.positions.size(); ++atom) {
    const int box = box_of_atom[atom];
    const auto k = static_cast<std::size_t>(next[static_cast<std::size_t>(box)]++);
    cells.box_atoms[k] = static_cast<int>(atom);
    cells.box_of[k] = box;
  }

  const auto around = [n](int i) { return (i + n) % n; };
  const auto image = [n](int i) { return static_cast<signed char>(i < 0 ? -1 : i < n ? 0 : 1); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        for (int near = 0; near < boxes_around; ++near) {
          const int x = i + near / 9 - 1;
          const int y = j + near / 3 % 3 - 1;
          const int z = k + near % 3 - 1;
          cells.neighbours.push_back(
              {number(around(x), around(y), around(z)), {image(x), image(y), image(z)}});
        }
      }
    }
  }
  return cells;
}

}  // namespace examples
