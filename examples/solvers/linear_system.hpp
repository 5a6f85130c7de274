// Systems of linear equations, from Matrix Market files and from texts of families.
#pragma once

#include <string>
#include <vector>

#include "../spmv/matrix_market.hpp"
#include "families.hpp"
#include "krylov_numbers.hpp"
#include "matrix_numbers.hpp"

namespace solvers {

struct linear_system {
  spmv::csr_matrix<double> a;
  vector diagonal;
  bool is_symmetric = true;
  mutable found_together<matrix_numbers> numbers;
  mutable found_together<krylov_numbers> krylov;

  index size() const { return a.rows; }
};

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
      system.a = families::generate(text, size);
      text.end();
    }
  }
  for (index i = 0; i < system.size(); ++i)
    system.diagonal.push_back(detail::value_at(system.a, i, i));
  system.is_symmetric = detail::is_symmetric(system.a);
  return system;
}

}  // namespace solvers
