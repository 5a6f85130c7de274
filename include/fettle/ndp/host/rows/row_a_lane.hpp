// row_a_lane: reductions of equally long rows, each in a lane of the processor's vectors.
//
// Rows that a user's function makes of a point and a table (the distances of a point to all
// centroids, the likelihood of a value under each class) read no memory of their own that vectors
// could load. So this goes through
//
//   for (u in 64 rows) { y = seed(u); for (k in row u) y = op(y, row[u][k]); store(u, y); }
//
// in a form whose outer loop compilers vectorise: the rows do not depend on each other, the number
// of iterations of the inner loop is the same for all of them and is counted in 32 bits, as wide as
// most values, and structs are copied number by number. Within a row, elements are combined from
// left to right: the result is that of fold_in_order(), bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/contiguous_rows.hpp>
#include <fettle/ndp/host/rows/side_by_side.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// Whether a row's elements are made of indices only.
template <typename S>
inline constexpr bool is_counted_v = false;
template <typename T>
inline constexpr bool is_counted_v<counting_sequence<T>> = true;
template <typename F, typename... S>
inline constexpr bool is_counted_v<transformed_sequence<F, S...>> = (is_counted_v<S> && ...);

/// A map to memory whose elements are reductions to numbers or structs of them, of such rows.
template <typename E, typename D>
concept row_a_lane_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> && !side_by_side_node<E> &&
    is_counted_v<std::remove_cvref_t<decltype(row_t<E>::source)>> &&
    ndp::detail::of_numbers<typename row_t<E>::value_type> &&
    std::is_same_v<std::remove_cvref_t<decltype(row_t<E>::seed)>, typename row_t<E>::value_type> &&
    std::is_same_v<D, sequence<typename row_t<E>::value_type>> &&
    std::is_trivially_copyable_v<row_t<E>> && std::is_trivially_copyable_v<E>;

/// A longer row is reduced on its own: by lanes, or in parts.
template <typename E>
inline constexpr index_t longest_row_a_lane = shortest_in_parts - 1;
template <typename E>
  requires std::is_arithmetic_v<typename row_t<E>::value_type>
inline constexpr index_t longest_row_a_lane<E> = shortest_by_lanes - 1;

inline constexpr index_t rows_in_lanes = 64;

// Rows [first, first + rows_in_lanes), if they are equally long and not too long.
template <typename E, typename T>
  requires row_a_lane_node<E, sequence<T>>
[[nodiscard]] inline bool reduce_row_a_lane(const E& e, const sequence<T>& destination,
                                            index_t first) {
  using row_type = row_t<E>;
  const index_t length = e[first].source.size();
  if (length > longest_row_a_lane<E>) return false;
  index_t differences = 0;
  for (index_t u = 1; u < rows_in_lanes; ++u) differences |= e[first + u].source.size() ^ length;
  if (differences != 0) return false;
  if constexpr (checked) check_index("sequence", first + rows_in_lanes - 1, destination.size());
  T* const to = destination.data();
  const auto count = static_cast<std::int32_t>(length);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (index_t u = 0; u < rows_in_lanes; ++u) {
    const row_type row = e[first + u];
    T value;
    ndp::detail::copy_fields(value, row.seed);
    for (std::int32_t k = 0; k < count; ++k) {
      value = static_cast<T>(row.op(value, row.source[k]));
    }
    ndp::detail::copy_fields(to[first + u], value);
  }
  return true;
}

/// The rows [begin, end) of `e` in groups, as far as those of a group are equally long and not too
/// long; one_by_one(begin, end) reduces the others.
template <typename E, typename T, typename OneByOne>
  requires row_a_lane_node<E, sequence<T>>
void reduce_rows_a_lane_each(const E& e, const sequence<T>& destination, index_t begin, index_t end,
                             const OneByOne& one_by_one) {
  own_t<E> own = e;
  while (begin + rows_in_lanes <= end) {
    const bool equal = reduce_row_a_lane(own, destination, begin);
    // Making rows may cost something: after rows of several lengths it is not tried at once again.
    const index_t done = equal ? begin + rows_in_lanes : std::min(begin + 8 * rows_in_lanes, end);
    if (!equal) one_by_one(begin, done);
    begin = done;
  }
  one_by_one(begin, end);
}

}  // namespace fettle::ndp::host::detail
