// What the families' functions take and give.
#pragma once

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"
#include "springs.hpp"

namespace solvers::families {

using made = spmv::csr_matrix<double>;
using random_numbers = spmv::random_numbers;

}  // namespace solvers::families
