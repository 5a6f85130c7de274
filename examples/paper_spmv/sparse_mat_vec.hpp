// The library's face, as its users see it: no trace of variants or tuning.
#pragma once

#include "host_matrix.hpp"

namespace MySparse {

/// matrix->y = A * matrix->x, by the variant that suits the matrix.
void SparseMatVec(HostMatrix* matrix);

}  // namespace MySparse
