// rows_apart: reductions of equally long, short rows that lie apart in memory, each by vectors.
//
// Rows that a user's function makes of numbers in memory, such as the vector of features with a
// given index, share no elements with their neighbours. Vectors over several of them would have to
// gather every element, and a row on its own waits for one addition after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/fold_loops.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether all elements are made of numbers in memory, at the same positions.
template <typename S>
inline constexpr bool is_of_runs_v = false;
template <typename T>
inline constexpr bool is_of_runs_v<sequence<T>> = std::is_arithmetic_v<std::remove_const_t<T>>;
template <typename F, typename... S>
inline constexpr bool is_of_runs_v<transformed_sequence<F, S...>> = (is_of_runs_v<S> && ...);

/// Whether two rows of `length` elements share none of what one of their arguments reads.
template <typename T>
[[nodiscard]] inline bool are_apart(const sequence<T>& a, const sequence<T>& b, index_t length) {
  const auto distance =
      reinterpret_cast<std::intptr_t>(b.data()) - reinterpret_cast<std::intptr_t>(a.data());
  return std::abs(distance) >= length * static_cast<index_t>(sizeof(T));
}
template <typename F, typename... S>
[[nodiscard]] inline bool are_apart(const transformed_sequence<F, S...>& a,
                                    const transformed_sequence<F, S...>& b, index_t length) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return (are_apart(get<Is>(a.sources), get<Is>(b.sources), length) || ...);
  }(std::index_sequence_for<S...>{});
}

/// Reductions to numbers of such rows, by operators that take vectors. Of narrower numbers a vector
/// of four is too little: compilers' vectors over the rows are faster.
template <typename Row>
concept run_by_vectors =
    scalar_reduce_node<Row> && sizeof(typename Row::value_type) >= sizeof(float) &&
    is_of_runs_v<std::remove_cvref_t<decltype(Row::source)>> &&
    lane_operation<std::remove_cvref_t<decltype(Row::op)>, typename Row::value_type> &&
    std::is_constructible_v<typename Row::value_type,
                            element_t<std::remove_cvref_t<decltype(Row::source)>>>;

/// Rows of fewer elements cost less in order.
inline constexpr index_t shortest_by_fours = 8;

/// Rows [first, first + rows) of `e`, each of `length` elements, shortest_by_fours at least, which
/// are combined in any order.
template <typename E, typename D>
  requires run_by_vectors<row_t<E>>
inline void reduce_rows_apart(const E& e, const D& destination, index_t first, index_t rows,
                              index_t length) {
  using value_type = typename row_t<E>::value_type;
  for (index_t u = first; u < first + rows; ++u) {
    const row_t<E> row = e[u];
    index_t k = 0;
    const auto value =
        fold_by_fours(row.op, row.source, k, length, static_cast<value_type>(row.seed), false);
    store<element_t<D>>(destination[u], fold_few(row.op, row.source, k, length, value));
  }
}

}  // namespace fettle::ndp::host::detail
