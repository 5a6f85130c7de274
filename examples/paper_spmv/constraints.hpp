// The constraints, in the form of figure 2.2: formats that were not built cannot be multiplied
// with.
#pragma once

#include <fettle/variant.hpp>

#include "host_matrix.hpp"

namespace MySparse {

struct dia_cutoff_type : fettle::constraint_type<HostMatrix*> {
  bool operator()(HostMatrix* matrix) override { return matrix->diagonal_fill <= fill_cutoff; }
};

struct ell_cutoff_type : fettle::constraint_type<HostMatrix*> {
  bool operator()(HostMatrix* matrix) override { return matrix->ell_fill <= fill_cutoff; }
};

}  // namespace MySparse
