// What the families of systems are made of: springs between points, which may lie on grids.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../spmv/csr.hpp"

namespace solvers {

using spmv::index;
using vector = std::vector<double>;

namespace families {

using matrix = spmv::csr_matrix<double>;

/// Entries of sum over springs of w (e_i - e_j)(e_i - e_j)^T.
class springs {
 public:
  explicit springs(index size) : diagonal_(static_cast<std::size_t>(size)) {}
  index size() const { return static_cast<index>(diagonal_.size()); }

  void add(index i, index j, double w) {
    if (i == j) return;
    couple(i, j, -w);
    ground(i, w);
    ground(j, w);
  }
  /// A spring to a fixed point.
  void ground(index i, double w) { diagonal_[static_cast<std::size_t>(i)] += w; }
  /// The entries (i, j) and (j, i) alone.
  void couple(index i, index j, double value) {
    entries_.push_back({i, j, value});
    entries_.push_back({j, i, value});
  }

  families::matrix matrix() {
    return matrix([](index) { return 1.0; });
  }
  /// With row and column i multiplied by scale(i).
  template <class Scale>
  families::matrix matrix(const Scale& scale) {
    for (auto& e : entries_) e.value *= scale(e.row) * scale(e.column);
    for (index i = 0; i < size(); ++i)
      entries_.push_back({i, i, diagonal_[static_cast<std::size_t>(i)] * scale(i) * scale(i)});
    return spmv::csr_from_entries<double>(size(), size(), entries_);
  }

 private:
  std::vector<spmv::entry<double>> entries_;
  vector diagonal_;
};

/// Points in rows: `side` x `side` x `depth`.
struct grid {
  index side;
  index depth = 1;

  static grid square(index size) { return {rounded(std::sqrt(std::max(1, size)))}; }
  static grid cube(index size) {
    const index side = rounded(std::cbrt(std::max(1, size)));
    return {side, side};
  }
  index points() const { return side * side * depth; }
  index number(index x, index y, index z) const { return (z * side + y) * side + x; }
  bool has(index x, index y, index z) const {
    return x >= 0 && x < side && y >= 0 && y < side && z >= 0 && z < depth;
  }

 private:
  static index rounded(double side) { return static_cast<index>(std::lround(side)); }
};

/// Calls visit(i, j, dx, dy, dz, x, y, z) for each neighbour j of each point i; j is -1 beyond the
/// border. Neighbours are along the axes, or with `with_corners` all around.
template <class Visit>
void for_each_neighbour(const grid& g, bool with_corners, const Visit& visit) {
  const index deep = g.depth > 1 ? 1 : 0;
  for (index z = 0; z < g.depth; ++z)
    for (index y = 0; y < g.side; ++y)
      for (index x = 0; x < g.side; ++x)
        for (index dz = -deep; dz <= deep; ++dz)
          for (index dy = -1; dy <= 1; ++dy)
            for (index dx = -1; dx <= 1; ++dx) {
              const index distance = std::abs(dx) + std::abs(dy) + std::abs(dz);
              if (distance == 0 || (distance > 1 && !with_corners)) continue;
              const bool inside = g.has(x + dx, y + dy, z + dz);
              visit(g.number(x, y, z), inside ? g.number(x + dx, y + dy, z + dz) : index{-1}, dx,
                    dy, dz, x, y, z);
            }
}

/// Grids of `count` unknowns a point, fixed at their border: those of the unknowns k have the
/// weight weight(k).
template <class Weight>
void add_grids(springs& all, const grid& g, index count, const Weight& weight) {
  for_each_neighbour(g, false, [&](index i, index j, auto...) {
    for (index k = 0; k < count; ++k) {
      if (j < 0) {
        all.ground(count * i + k, weight(k));
      } else if (i < j) {
        all.add(count * i + k, count * j + k, weight(k));
      }
    }
  });
}

/// A grid whose points are joined by weight(x, y, z, dx, dy, dz), fixed at its border.
template <class Weight>
void add_grid(springs& all, const grid& g, bool with_corners, const Weight& weight) {
  for_each_neighbour(
      g, with_corners,
      [&](index i, index j, index dx, index dy, index dz, index x, index y, index z) {
        const double w = weight(x, y, z, dx, dy, dz);
        if (j < 0) {
          all.ground(i, w);
        } else if (i < j) {
          all.add(i, j, w);
        }
      });
}

inline double equal_weights(index, index, index, index, index, index) { return 1; }

/// 1 along x and 1 / ratio along y.
inline auto stretched(double ratio) {
  return [ratio](index, index, index, index dx, index, index) { return dx != 0 ? 1.0 : 1 / ratio; };
}

}  // namespace families
}  // namespace solvers
