// Whether two products are equal: each element up to rounding of the largest one, because the terms
// of a row may cancel.
#pragma once

#include <cmath>
#include <vector>

#include <fettle/variant.hpp>

namespace spmv {

inline bool agree(const std::vector<double>& reference, const std::vector<double>& result) {
  double largest = 0;
  for (const double value : reference) largest = std::fmax(largest, std::fabs(value));
  return fettle::within{.relative = 1e-10, .absolute = 1e-10 * largest}(reference, result);
}

}  // namespace spmv
