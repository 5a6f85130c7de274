// mostly_empty_rows: reductions of rows of which few have elements, on one thread.
//
// A processor cannot guess which rows have any. So the rows of a block are sorted into those that
// have and those that have none, which takes no branch, and each kind has a separate loop.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

inline constexpr index_t rows_sorted_at_once = 128;

// Rows are mostly empty where at most every fourth has elements: others are better done without
// regard to which have.
[[nodiscard]] constexpr bool is_mostly_empty(index_t filled, index_t rows) noexcept {
  return 4 * filled <= rows;
}

/// Whether the first of the rows [begin, end) are mostly empty: a look at a block of them.
template <nested_node E>
[[nodiscard]] bool begins_mostly_empty(const E& e, index_t begin, index_t end) {
  const index_t rows = std::min(end - begin, rows_sorted_at_once);
  index_t filled = 0;
  for (index_t k = 0; k < rows; ++k) filled += e[begin + k].source.size() > 0 ? 1 : 0;
  return is_mostly_empty(filled, rows);
}

/// The rows [begin, end) of `e`, in any order within a row where the operator allows it; those of
/// blocks that are not mostly empty by otherwise(begin, end).
template <nested_node E, typename D, typename Otherwise>
  requires scalar_reduce_node<row_t<E>>
void reduce_mostly_empty_rows(const E& e, const D& destination, index_t begin, index_t end,
                              const Otherwise& otherwise) {
  using value_type = typename row_t<E>::value_type;
  own_t<E> own = e;
  own_t<D> to = destination;
  std::uint16_t filled[rows_sorted_at_once];
  std::uint16_t empty[rows_sorted_at_once];
  for (index_t first = begin; first < end; first += rows_sorted_at_once) {
    const index_t rows = std::min(end - first, rows_sorted_at_once);
    index_t filled_count = 0;
    index_t empty_count = 0;
    for (index_t k = 0; k < rows; ++k) {
      const index_t has_elements = own[first + k].source.size() > 0 ? 1 : 0;
      filled[filled_count] = static_cast<std::uint16_t>(k);
      empty[empty_count] = static_cast<std::uint16_t>(k);
      filled_count += has_elements;
      empty_count += 1 - has_elements;
    }
    if (!is_mostly_empty(filled_count, rows)) {
      otherwise(first, first + rows);
      continue;
    }
    for (index_t k = 0; k < empty_count; ++k) {
      keep_scalar();  // no scatter, which takes longer
      const index_t i = first + empty[k];
      store<element_t<D>>(to[i], static_cast<value_type>(own[i].seed));
    }
    for (index_t k = 0; k < filled_count; ++k) {
      const index_t i = first + filled[k];
      const row_t<E> row = own[i];
      const auto seed = static_cast<value_type>(row.seed);
      store<element_t<D>>(to[i], fold(row.op, row.source, 0, row.source.size(), seed));
    }
  }
}

}  // namespace fettle::ndp::host::detail
