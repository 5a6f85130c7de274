// row_work_of: what row_cost.hpp asks of a reduction, from its type. Needs no CUDA.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/rows/row_cost.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Rows of so many atoms together, reduced as R is.
template <typename R>
[[nodiscard]] constexpr row_work row_work_of(index_t rows, index_t atoms) {
  using value_type = typename R::value_type;
  constexpr bytes_read read = bytes_read_v<decltype(R::source)>;
  constexpr int value_bytes = static_cast<int>(sizeof(value_type));
  constexpr int flag = uses_identity_v<decltype(R::op), value_type> ? 0 : 1;
  return {.rows = rows,
          .mean = rows > 0 ? static_cast<double>(atoms) / static_cast<double>(rows) : 0.0,
          .atom_bytes = read.all(),
          .element_bytes = read.in_order > 0 ? read.in_order : value_bytes,
          .partial_words = (value_bytes + 3) / 4 + flag,
          .has_gather = read.gathered > 0};
}

}  // namespace fettle::ndp::cuda::detail
