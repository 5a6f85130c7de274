// Families of symmetric systems by name: grids, meshes, networks, chains and blocks, whose matrices
// are sums of springs' stiffnesses.
#pragma once

#include <string>
#include <string_view>

#include "field_families.hpp"
#include "graph_families.hpp"
#include "grid_families.hpp"

namespace solvers {

inline constexpr const char* input_help =
    "INPUT: a Matrix Market file of a square matrix (plain or .xz), or FAMILY:SIZE:TYPE with SIZE\n"
    "       unknowns; TYPE double; families: laplace (points=5|7|9|27) anisotropic (ratio=R)\n"
    "       jumping (jump=J) shifted (shift=S) network (degree=D) stiff plates (ratio=R)\n"
    "       blocks (indefinite=1) biharmonic waves (ratio=R shift=S) contrast (sigma=S)\n"
    "       mesh (degree=D mass=M) elastic (ratio=R) banded (dominance=D) scaled (decades=D)\n"
    "       periodic (mass=M) twofold (coupling=C) layers (jump=J) chain (decades=D mass=M)\n"
    "       tree (spread=S mass=M) fields (fields=F coupling=C indefinite=1) cracked (missing=M)\n";

namespace families {

struct family {
  std::string_view name;
  matrix (*make)(examples::input_text&, index size, spmv::random_numbers&);
};

inline constexpr family all_families[] = {
    {"laplace", laplace},       {"anisotropic", anisotropic},
    {"jumping", jumping},       {"shifted", shifted},
    {"network", network},       {"stiff", stiff},
    {"plates", plates},         {"blocks", blocks},
    {"biharmonic", biharmonic}, {"waves", waves},
    {"contrast", contrast},     {"mesh", mesh},
    {"elastic", elastic},       {"banded", banded},
    {"scaled", scaled},         {"periodic", periodic},
    {"twofold", twofold},       {"layers", layers},
    {"chain", chain},           {"tree", tree},
    {"fields", fields},         {"cracked", cracked},
};

/// The matrix of a text with about `size` unknowns. Throws std::runtime_error, which names what is
/// wrong with the text.
inline matrix generate(examples::input_text& text, index size) {
  spmv::random_numbers random(text.take_seed());
  std::string names;
  for (const family& one : all_families) {
    if (one.name == text.family) return one.make(text, size, random);
    names += ' ';
    names += one.name;
  }
  text.fail("'" + text.family + "' is neither a file nor a family:" + names);
}

}  // namespace families
}  // namespace solvers
