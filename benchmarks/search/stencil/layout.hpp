// What all configurations share: the stencil's terms, and where the elements of the arrays are.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "job.hpp"

namespace stencil {

/// One term of a stencil.
struct Term {
  int x = 0;
  int y = 0;
  int z = 0;
  float weight = 0;
};

/// The terms of a stencil_terms.inc. Throws where there are none.
[[nodiscard]] inline std::vector<Term> parse_terms(const std::string& text) {
  std::vector<Term> terms;
  for (const std::string& line : split(text, '\n')) {
    Term term;
    if (std::sscanf(line.c_str(), "STENCIL_TERM(%d, %d, %d, %ff)", &term.x, &term.y, &term.z,
                    &term.weight) == 4) {
      terms.push_back(term);
    }
  }
  if (terms.empty()) throw std::runtime_error("a stencil without STENCIL_TERM lines");
  return terms;
}

/// Where the elements are; as source.py's layout().
struct Layout {
  int elements = 256;
  [[nodiscard]] int row() const { return elements + 32; }
  [[nodiscard]] int plane() const { return row() * (elements + 10); }
  [[nodiscard]] int origin() const { return 5 * plane() + 5 * row() + 16; }
  [[nodiscard]] unsigned input() const {
    return static_cast<unsigned>(plane()) * static_cast<unsigned>(elements + 10);
  }
  [[nodiscard]] unsigned output() const {
    const unsigned n = static_cast<unsigned>(elements);
    return n * n * n;
  }
};

}  // namespace stencil
