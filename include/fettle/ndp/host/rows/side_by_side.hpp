// side_by_side: reductions of several equally long rows at once.
//
// Rows that a user's function makes of an index or of a point (windows of a signal, columns of a
// matrix, the columns of a sparse product, the distances to all centroids) are not contiguous
// pieces of memory, but what neighbouring rows read often is. Two ways, either of which compilers
// vectorise over the rows:
//
//   | the elements come from         | how                                                      |
//   |--------------------------------|----------------------------------------------------------|
//   | functions that differ from     | by elements: for (k) for (u in rows)                     |
//   | row to row                     |   y[u] = op(y[u], row[u][k])                             |
//   | columns of numbers             | in the order of memory (columns.hpp)                     |
//   | others, indices alone          | a row in each lane (row_a_lane.hpp): for (u in rows)     |
//   |                                |   for (k) y = op(y, row[u][k])                           |
//
// Within a row, elements are combined from left to right: the result is that of fold_in_order(),
// bit for bit. Where the order is free, rows that lie apart in memory are reduced one by one, each
// by vectors (rows_apart.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/host/rows/columns.hpp>
#include <fettle/ndp/host/rows/row_a_lane.hpp>
#include <fettle/ndp/host/rows/rows_apart.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/columns.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A map whose elements are reductions to numbers, or structs of them, of rows that no argument of
/// it gives or that are made of indices only.
template <typename E>
concept side_by_side_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> &&
    (!has_outer_shape_v<E> || is_counted_v<std::remove_cvref_t<decltype(row_t<E>::source)>>) &&
    ndp::detail::of_numbers<typename row_t<E>::value_type> &&
    std::is_trivially_copyable_v<row_t<E>> && std::is_trivially_copyable_v<E>;

/// Whether going through the elements in the outer loop lets vectors load what neighbouring rows
/// read: columns, what functions make of an index and the same elements (the columns of a sparse
/// product), and neighbourhoods. A row is made anew for each of its elements.
template <typename E, typename Source = std::remove_cvref_t<decltype(row_t<E>::source)>>
inline constexpr bool goes_by_elements_v =
    std::is_arithmetic_v<typename row_t<E>::value_type> && !is_counted_v<Source> &&
    (ndp::detail::reads_columns_v<E> || has_state_v<Source> || row_wise<Source>);

/// How many are where there are fewer, by elements.
inline constexpr index_t small_group = 8;

/// How many rows are reduced at once: of columns what is in four cache lines.
template <typename E>
inline constexpr index_t rows_side_by_side =
    std::max(index_t{8}, 256 / static_cast<index_t>(sizeof(typename row_t<E>::value_type)));

// Rows [first, first + rows) by elements, all of which have `length` elements. A number of rows
// that is constant, Rows where it is not 0, may stay in registers.
template <index_t Rows, typename E, typename D>
inline void reduce_by_elements(const E& e, const D& destination, index_t first, index_t length,
                               index_t rows = Rows) {
  if constexpr (Rows != 0) rows = Rows;
  using value_type = typename row_t<E>::value_type;
  value_type values[static_cast<std::size_t>(rows_side_by_side<E>)];
  for (index_t u = 0; u < rows; ++u) values[u] = static_cast<value_type>(e[first + u].seed);
  for (index_t k = 0; k < length; ++k) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::int32_t u = 0; u < static_cast<std::int32_t>(rows); ++u) {
      const row_t<E> row = e[first + u];
      values[u] = static_cast<value_type>(row.op(values[u], row.source[k]));
    }
  }
  for (index_t u = 0; u < rows; ++u) store<element_t<D>>(destination[first + u], values[u]);
}

// The length of the rows [first, first + rows), or -1 where they have several.
template <typename E>
[[nodiscard]] inline index_t common_length(const E& e, index_t first, index_t rows) {
  const index_t length = e[first].source.size();
  index_t differences = 0;
  for (index_t u = 1; u < rows; ++u) differences |= e[first + u].source.size() ^ length;
  return differences == 0 ? length : index_t{-1};
}

/// Rows of so many structs are not reduced in lanes: their parts are faster.
inline constexpr index_t shortest_of_structs = 48;

/// Longer rows are reduced one after the other, by lanes or in parts, unless neighbours read the
/// same memory.
template <typename E>
[[nodiscard]] inline index_t longest_side_by_side(const E& e, index_t first) {
  if constexpr (ndp::detail::reads_columns_v<E>) {
    return std::numeric_limits<std::int32_t>::max();
  } else {
    if (read_the_same(e[first].source, e[first + 1].source)) {
      return std::numeric_limits<std::int32_t>::max();
    }
    return (std::is_arithmetic_v<typename row_t<E>::value_type> ? shortest_by_lanes
                                                                : shortest_of_structs) -
           1;
  }
}

/// Whether so few rows of type row_t<E> are better off one by one, each by vectors: compilers'
/// vectors over the rows of a part of a group stay unused where they have more lanes.
template <typename E>
[[nodiscard]] inline bool are_few_long_rows(const E& e, index_t begin, index_t end) {
  using value_type = typename row_t<E>::value_type;
  using source = std::remove_cvref_t<decltype(row_t<E>::source)>;
  constexpr index_t longest_in_part = 64;
  if constexpr (lane_operation<std::remove_cvref_t<decltype(row_t<E>::op)>, value_type> &&
                std::is_constructible_v<value_type, element_t<source>> &&
                !ndp::detail::reads_columns_v<E>) {
    return begin < end && end - begin < rows_side_by_side<E> &&
           e[begin].source.size() > longest_in_part;
  } else {
    return false;
  }
}

// Whether the rows [first, first + rows), two at least, have been reduced.
template <bool InOrder, typename E, typename D>
[[nodiscard]] inline bool reduce_group(const E& e, const D& destination, index_t first,
                                       index_t rows) {
  constexpr index_t group = rows_side_by_side<E>;
  const index_t length = common_length(e, first, rows);
  if (length < 1 || length > longest_side_by_side(e, first)) return false;
  if constexpr (!InOrder && !goes_by_elements_v<E> && run_by_vectors<row_t<E>>) {
    if (length >= shortest_by_fours && length < shortest_by_lanes &&
        are_apart(e[first].source, e[first + 1].source, length)) {
      reduce_rows_apart(e, destination, first, rows, length);
      return true;
    }
  }
  const auto reduce = [&](const auto& some, const auto& to, index_t from) {
    if constexpr (goes_by_elements_v<E>) {
      if (rows == group) {
        reduce_by_elements<group>(some, to, from, length);
      } else if (rows == small_group) {
        reduce_by_elements<small_group>(some, to, from, length);
      } else {
        reduce_by_elements<0>(some, to, from, length, rows);
      }
    } else {
      reduce_row_a_lane(some, to, from, rows, length);
    }
  };
  if constexpr (in_blocks<E>) {
    reduce(block_of<E>::from(e, first, rows), subsequence(destination, first, rows), 0);
  } else {
    reduce(e, destination, first);
  }
  return true;
}

// reduce_in_groups() of neighbours in one row of a grid, or where there is no grid.
template <bool InOrder, side_by_side_node E, typename D, typename OneByOne>
void reduce_neighbours(const E& e, const D& destination, index_t begin, index_t end,
                       const OneByOne& one_by_one) {
  own_t<E> own = e;
  own_t<D> to = destination;
  constexpr index_t fewest = 4;
  const bool in_groups = !are_few_long_rows(own, begin, end);
  while (in_groups && end - begin >= fewest) {
    index_t done = std::min(begin + rows_side_by_side<E>, end);
    if constexpr (goes_by_elements_v<E>) {
      if (done - begin < rows_side_by_side<E>) done = std::min(begin + small_group, done);
    }
    if (!reduce_group<InOrder>(own, to, begin, done - begin)) {
      // Making rows may cost something: after rows of several lengths it is not tried at once
      // again.
      done = std::min(begin + 8 * rows_side_by_side<E>, end);
      one_by_one(begin, done);
    }
    begin = done;
  }
  one_by_one(begin, end);
}

/// The rows [begin, end) of `e` in groups, as far as those of a group are equally long and not too
/// long; one_by_one(begin, end) reduces the others. `InOrder`: elements of a row are combined from
/// left to right.
template <bool InOrder, side_by_side_node E, typename D, typename OneByOne>
void reduce_in_groups(const E& e, const D& destination, index_t begin, index_t end,
                      const OneByOne& one_by_one) {
  if constexpr (columns_node<E>) {
    reduce_columns(e, destination, begin, end, one_by_one);
  } else if constexpr (row_wise<E>) {
    const bool done =
        for_rows(e, begin, end, [&](const auto& row, index_t first, index_t last, index_t index) {
          reduce_neighbours<InOrder>(
              row, subsequence(destination, index, last), first, last,
              [&](index_t from, index_t to) { one_by_one(index + from, index + to); });
        });
    if (!done) reduce_neighbours<InOrder>(e, destination, begin, end, one_by_one);
  } else {
    reduce_neighbours<InOrder>(e, destination, begin, end, one_by_one);
  }
}

}  // namespace fettle::ndp::host::detail
