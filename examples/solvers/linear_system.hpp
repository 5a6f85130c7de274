// Systems of linear equations, from Matrix Market files and from texts that describe grids.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../spmv/matrix_market.hpp"
#include "../spmv/random.hpp"
#include "../support/input_text.hpp"

namespace solvers {

using spmv::index;
using vector = std::vector<double>;

struct linear_system {
  spmv::csr_matrix<double> a;
  vector diagonal;
  bool is_symmetric = true;

  index size() const { return a.rows; }
};

inline constexpr const char* input_help =
    "INPUT: a Matrix Market file of a square matrix (plain or .xz), or FAMILY:SIZE:TYPE with SIZE\n"
    "       unknowns; TYPE double; families: laplace (points=5|7|9|27) anisotropic (ratio=R)\n"
    "       jumping (jump=J) shifted (shift=S) network (degree=D) stiff plates (ratio=R)\n"
    "       blocks (indefinite=1) biharmonic waves (ratio=R shift=S)\n";

namespace detail {

/// The value in row r and column c; 0 where none is stored.
inline double value_at(const spmv::csr_matrix<double>& a, index r, index c) {
  const auto first = a.columns.begin() + a.row_offsets[static_cast<std::size_t>(r)];
  const auto last = a.columns.begin() + a.row_offsets[static_cast<std::size_t>(r) + 1];
  const auto found = std::lower_bound(first, last, c);
  return found == last || *found != c
             ? 0
             : a.values[static_cast<std::size_t>(found - a.columns.begin())];
}

inline bool is_symmetric(const spmv::csr_matrix<double>& a) {
  for (index r = 0; r < a.rows; ++r)
    for (auto k = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r) + 1]); ++k)
      if (value_at(a, a.columns[k], r) != a.values[k]) return false;
  return true;
}

/// Entries of sum over springs of w (e_i - e_j)(e_i - e_j)^T.
class springs {
 public:
  explicit springs(index size) : diagonal_(static_cast<std::size_t>(size)) {}
  void add(index i, index j, double w) {
    if (i == j) return;
    entries_.push_back({i, j, -w});
    entries_.push_back({j, i, -w});
    ground(i, w);
    ground(j, w);
  }
  /// A spring to a fixed point.
  void ground(index i, double w) { diagonal_[static_cast<std::size_t>(i)] += w; }

  spmv::csr_matrix<double> matrix() {
    const auto size = static_cast<index>(diagonal_.size());
    for (index i = 0; i < size; ++i)
      entries_.push_back({i, i, diagonal_[static_cast<std::size_t>(i)]});
    return spmv::csr_from_entries<double>(size, size, entries_);
  }

 private:
  std::vector<spmv::entry<double>> entries_;
  vector diagonal_;
};

/// A grid whose points are joined by weight(x, y, z, dx, dy, dz), fixed at its border.
template <class Weight>
void add_grid(springs& all, index side, index depth, bool with_corners, const Weight& weight) {
  const auto number = [&](index x, index y, index z) { return (z * side + y) * side + x; };
  for (index z = 0; z < depth; ++z)
    for (index y = 0; y < side; ++y)
      for (index x = 0; x < side; ++x)
        for (index dz = depth > 1 ? -1 : 0; dz <= (depth > 1 ? 1 : 0); ++dz)
          for (index dy = -1; dy <= 1; ++dy)
            for (index dx = -1; dx <= 1; ++dx) {
              const index distance = std::abs(dx) + std::abs(dy) + std::abs(dz);
              if (distance == 0 || (distance > 1 && !with_corners)) continue;
              const bool inside = x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side &&
                                  z + dz >= 0 && z + dz < depth;
              const index i = number(x, y, z);
              const double w = weight(x, y, z, dx, dy, dz);
              if (!inside) {
                all.ground(i, w);
              } else if (const index j = number(x + dx, y + dy, z + dz); i < j) {
                all.add(i, j, w);
              }
            }
}

inline spmv::csr_matrix<double> generate(examples::input_text& text, index size) {
  const auto is = [&](const char* family) { return text.family == family; };
  const double points = is("laplace") ? text.take("points", 5, 5, 27) : 5;
  const double ratio =
      is("anisotropic") || is("plates") || is("waves") ? text.take("ratio", 100, 1e-9, 1e9) : 1;
  const double jump = is("jumping") ? text.take("jump", 1e4, 1, 1e12) : 1;
  const double shift = is("shifted") || is("waves") ? text.take("shift", 0.1, -1e3, 1e3) : 0;
  const double degree = is("network") ? text.take("degree", 6, 1, 200) : 1;
  const double indefinite = is("blocks") ? text.take("indefinite", 0, 0, 1) : 0;
  spmv::random_numbers random(text.take_seed());
  const bool is_cubic = points == 7 || points == 27;
  const double unknowns = std::max(1, size);
  const auto side =
      static_cast<index>(std::lround(is_cubic ? std::cbrt(unknowns) : std::sqrt(unknowns)));
  const index depth = is_cubic ? side : 1;
  springs all(is("network") || is("stiff") || is("blocks") ? size : side * side * depth);
  if (is("laplace")) {
    if (points != 5 && points != 7 && points != 9 && points != 27)
      text.fail("points must be 5, 7, 9 or 27");
    add_grid(all, side, depth, points == 9 || points == 27, [](auto...) { return 1.0; });
  } else if (is("anisotropic")) {
    add_grid(all, side, 1, false, [&](index, index, index, index dx, index, index) {
      return dx != 0 ? 1.0 : 1 / ratio;
    });
  } else if (is("jumping")) {
    const index part = std::max<index>(1, side / 6);
    add_grid(all, side, 1, false, [&](index x, index y, index, index dx, index dy, index) {
      const auto within = [&](index p, index q) { return (p / part + q / part) % 2 == 0; };
      return within(x, y) && within(x + dx, y + dy) ? jump : 1.0;
    });
  } else if (is("shifted")) {
    add_grid(all, side, 1, false, [](auto...) { return 1.0; });
    for (index i = 0; i < side * side; ++i) all.ground(i, -shift);
  } else if (is("network")) {
    for (index i = 0; i < size; ++i) {
      all.ground(i, 0.01 + random.unit());
      for (int k = 0; k < degree / 2; ++k)
        all.add(i, static_cast<index>(random.below(size)), 0.1 + random.unit());
    }
  } else if (is("stiff")) {  // a chain of springs whose stiffness varies over six decades
    for (index i = 0; i < size; ++i) {
      const double stiffness = std::pow(10, 6 * random.unit());
      if (i + 1 < size) all.add(i, i + 1, stiffness);
      if (i + 2 < size) all.add(i, i + 2, 0.1 * stiffness);
      if (i % 50 == 0) all.ground(i, stiffness);
    }
  } else if (is("blocks")) {  // groups of eight unknowns, strongly coupled within
    for (index i = 0; i < size; ++i) {
      const double sign = indefinite != 0 && i / 8 % 2 == 1 ? -1 : 1;
      for (index j = i + 1; j < std::min(size, (i / 8 + 1) * 8); ++j)
        all.add(i, j, sign * std::pow(10, 4 * random.unit()));
      all.ground(i, sign * (1 + random.unit()));
      all.add(i, static_cast<index>(random.below(size)), 0.05 * sign * random.unit());
    }
  } else if (is("biharmonic")) {  // a bending plate, whose matrix has entries of either sign
    for (index y = 0; y < side; ++y)
      for (index x = 0; x < side; ++x)
        for (index dy = -2; dy <= 2; ++dy)
          for (index dx = -2; dx <= 2; ++dx) {
            const index distance = std::abs(dx) + std::abs(dy);
            if (distance == 0 || distance > 2) continue;
            const double w = distance == 1 ? 8 : dx != 0 && dy != 0 ? -2 : -1;
            const bool inside = x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side;
            const index i = y * side + x;
            if (!inside) {
              all.ground(i, w);
            } else if (const index j = i + dy * side + dx; i < j) {
              all.add(i, j, w);
            }
          }
  } else if (is("waves")) {
    add_grid(all, side, 1, false, [&](index, index, index, index dx, index, index) {
      return dx != 0 ? 1.0 : 1 / ratio;
    });
    for (index i = 0; i < side * side; ++i) all.ground(i, -shift);
  } else if (is("plates")) {  // two directions alternate in stripes
    add_grid(all, side, 1, true, [&](index, index y, index, index dx, index dy, index) {
      const bool along = dy == 0;
      return dx != 0 && dy != 0 ? 0.2 : along == (y % 16 < 8) ? ratio : 1.0;
    });
  } else {
    text.fail("'" + text.family +
              "' is neither a file nor a family: laplace anisotropic jumping shifted network stiff "
              "plates blocks biharmonic waves");
  }
  return all.matrix();
}

}  // namespace detail

/// The system of a file or of a text.
inline linear_system load_system(const std::string& name) {
  linear_system system;
  if (name.ends_with(".mtx") || name.ends_with(".xz")) {
    system.a = spmv::read_matrix_market(name);
    if (system.a.rows != system.a.columns_count)
      throw std::runtime_error(name +
                               ":2: a system of equations needs a square matrix; this one has " +
                               std::to_string(system.a.rows) + " rows and " +
                               std::to_string(system.a.columns_count) + " columns");
  } else {
    examples::input_text text(name);
    const auto size = static_cast<index>(text.whole(text.size, "size", 0, 1 << 24));
    if (text.type != "double" && text.type != "float64" && !text.type.empty())
      text.fail("'" + text.type + "' is not a type: double");
    if (size > 0) {
      system.a = detail::generate(text, size);
      text.end();
    }
  }
  for (index i = 0; i < system.size(); ++i)
    system.diagonal.push_back(detail::value_at(system.a, i, i));
  system.is_symmetric = detail::is_symmetric(system.a);
  return system;
}

}  // namespace solvers
