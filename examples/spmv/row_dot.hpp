// The inner loop of all CSR variants: part of one row times the vector.
#pragma once

#include "csr.hpp"

namespace spmv {

/// Sum of values[k] * x[columns[k]] for k in [first, last); 0 where the range is empty.
/// Two running sums, because a single one would wait for the latency of each addition.
template <class Value>
inline Value row_dot(const Value* values, const index* columns, const Value* x, index first,
                     index last) noexcept {
  Value even{0};
  Value odd{0};
  index k = first;
  for (; k + 1 < last; k += 2) {
    even += values[k] * x[columns[k]];
    odd += values[k + 1] * x[columns[k + 1]];
  }
  if (k < last) even += values[k] * x[columns[k]];
  return even + odd;
}

}  // namespace spmv
