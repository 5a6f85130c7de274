// columns: reductions of few columns of a matrix that lies in memory row after row, by a team. Each
// thread reduces a part of the matrix's rows, all columns of it, in the order of memory.
#pragma once

#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/columns.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/shape/columns.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Columns of which there are so few that threads share each, if that is worth their combination.
template <columns_node E>
[[nodiscard]] bool shares_columns(const E& e, int threads) {
  constexpr index_t fewest = 64;    // columns of a thread: some cache lines
  constexpr index_t least = 32768;  // elements of a thread
  const index_t columns = e.size();
  return columns > 0 && columns < fewest * threads && columns <= columns_at_once<E> &&
         ndp::detail::length_of_columns(e) * columns >= least * threads;
}

/// Whether threads have reduced all columns, each of them a part of the elements of all. The parts
/// are combined in their order, so operators need not commute.
template <team_like Team, columns_node E, typename D>
  requires team_reducible<row_t<E>>
[[nodiscard]] bool reduce_shared_columns(const Team& at, const E& e, const D& destination) {
  using value_type = typename row_t<E>::value_type;
  const index_t columns = e.size();
  const index_t length = e[0].source.size();
  const int parts = at.threads();
  if (length < parts || equal_columns(e, 0, columns) < columns) return false;
  constexpr index_t apart = 64;  // at least a cache line between the parts' values
  const index_t stride = ceiling_quotient(columns, apart) * apart + apart;
  std::vector<value_type> all(static_cast<std::size_t>(stride * parts));
  at.for_parts(parts, parts, [&](index_t begin, index_t end) {
    own_t<E> own = e;
    for (index_t part = begin; part < end; ++part) {
      value_type* const values = all.data() + part * stride;
      const index_t from = part_begin(length, part, parts);
      for (index_t u = 0; u < columns; ++u) {
        values[u] = static_cast<value_type>(own[u].source[from]);
      }
      add_to_columns(own, 0, columns, from + 1, part_begin(length, part + 1, parts), values);
    }
  });
  for (index_t u = 0; u < columns; ++u) {
    const row_t<E> column = e[u];
    auto value = static_cast<value_type>(column.seed);
    for (index_t part = 0; part < parts; ++part) {
      value = static_cast<value_type>(
          column.op(value, all[static_cast<std::size_t>(part * stride + u)]));
    }
    store<element_t<D>>(destination[u], value);
  }
  return true;
}

}  // namespace fettle::ndp::host::detail
