// Transposition of a square array in place: blocks that mirror each other change places.
#pragma once

#include "decomposition.hpp"

namespace transpose {

template <class Value>
void square_blocks(Value* data, index n) {
  constexpr index block = 32;
  const index blocks = (n + block - 1) / block;
#pragma omp parallel for schedule(dynamic) if (n * n >= least_parallel)
  for (index p = 0; p < blocks; ++p) {
    std::array<Value, block * block> above;
    const index first_row = p * block;
    const index last_row = std::min(n, first_row + block);
    for (index i = first_row; i < last_row; ++i)
      for (index j = i + 1; j < last_row; ++j) std::swap(data[i * n + j], data[j * n + i]);
    for (index q = p + 1; q < blocks; ++q) {
      const index first_column = q * block;
      const index last_column = std::min(n, first_column + block);
      for (index i = first_row; i < last_row; ++i)
        for (index j = first_column; j < last_column; ++j)
          above[static_cast<std::size_t>((j - first_column) * block + i - first_row)] =
              data[i * n + j];
      for (index i = first_row; i < last_row; ++i)
        for (index j = first_column; j < last_column; ++j) data[i * n + j] = data[j * n + i];
      for (index j = first_column; j < last_column; ++j)
        for (index i = first_row; i < last_row; ++i)
          data[j * n + i] =
              above[static_cast<std::size_t>((j - first_column) * block + i - first_row)];
    }
  }
}

}  // namespace transpose
