// Transposition in place of few columns or few rows on a GPU: as in device_decomposition.cuh, but
// for large matrices a multiprocessor has whole tiles.
#pragma once

#include "device_decomposition.cuh"

namespace transpose::device {

/// The most columns (c2r) or rows (r2c): with more, three tiles with slots of 256 bytes do not fit
/// into shared memory.
inline constexpr number most_skinny = 256;

/// c2r for few columns. Precondition: n <= most_skinny, m n < 2^31.
template <class Value>
void skinny_c2r(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  if (transpose_on_chip<true>(data, m, n)) return;
  if (const slot_layout a = short_tiles_of<Value>(m, n); is_in_ring<Value>(a)) {
    to_lines_by_slots<true>(data, a);
  } else {
    c2r(data, m, n);
  }
}

/// r2c for few rows. Precondition: m <= most_skinny, m n < 2^31.
template <class Value>
void skinny_r2c(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  if (transpose_on_chip<false>(data, n, m)) return;
  if (const slot_layout a = short_tiles_of<Value>(n, m); is_in_ring<Value>(a)) {
    to_rows_by_slots<true>(data, a);
  } else {
    r2c(data, m, n);
  }
}

}  // namespace transpose::device
