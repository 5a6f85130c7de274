// row_a_lane: reductions of equally long rows, each in a lane of the processor's vectors.
//
//   for (u in rows) { y = seed(u); for (k in row u) y = op(y, row[u][k]); store(u, y); }
//
// in a form whose outer loop compilers vectorise: the rows do not depend on each other, the inner
// loop has at least one iteration, the same number for all of them, and is counted in 32 bits, as
// wide as most values; structs are copied number by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/halo_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether a row's elements are made of indices only.
template <typename S>
inline constexpr bool is_counted_v = false;
template <typename T, typename Stride>
inline constexpr bool is_counted_v<counting_sequence<T, Stride>> = true;
template <typename F, typename... S>
inline constexpr bool is_counted_v<transformed_sequence<F, S...>> = (is_counted_v<S> && ...);

/// Whether two rows read the same elements, or elements near each other in memory; false where it
/// is not known.
template <typename S>
[[nodiscard]] inline bool read_the_same(const S& /*a*/, const S& /*b*/) {
  return false;
}
template <typename T>
[[nodiscard]] inline bool read_the_same(const sequence<T>& a, const sequence<T>& b) {
  constexpr std::intptr_t near = 64;
  const auto distance =
      reinterpret_cast<std::intptr_t>(b.data()) - reinterpret_cast<std::intptr_t>(a.data());
  return std::abs(distance) <= near;
}
/// Neighbourhoods of cells beside each other, if they are in one row of the grid.
template <typename Grid, typename Radius, typename Boundary>
[[nodiscard]] inline bool read_the_same(const neighbourhood<Grid, Radius, Boundary>& a,
                                        const neighbourhood<Grid, Radius, Boundary>& b) {
  return a.y() == b.y();
}
template <cells_of_grid Known, typename Grid, typename Radius, typename Boundary>
[[nodiscard]] inline bool read_the_same(
    const known_neighbourhood<Known, Grid, Radius, Boundary>& a,
    const known_neighbourhood<Known, Grid, Radius, Boundary>& b) {
  return a.y() == b.y();
}
template <typename F, typename... S>
[[nodiscard]] inline bool read_the_same(const transformed_sequence<F, S...>& a,
                                        const transformed_sequence<F, S...>& b) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return (read_the_same(get<Is>(a.sources), get<Is>(b.sources)) && ...);
  }(std::index_sequence_for<S...>{});
}

/// Rows [first, first + rows) of `e`, all of which have `length` elements, 1 at least.
template <typename E, typename D>
inline void reduce_row_a_lane(const E& e, const D& destination, index_t first, index_t rows,
                              index_t length) {
  using value_type = typename row_t<E>::value_type;
  const auto count = static_cast<std::int32_t>(length);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(rows); ++u) {
    const row_t<E> row = e[first + u];
    value_type value;
    ndp::detail::copy_fields(value, static_cast<const value_type&>(row.seed));
    std::int32_t k = 0;
    do {
      value = static_cast<value_type>(row.op(value, row.source[k]));
    } while (++k < count);
    if constexpr (std::is_same_v<D, sequence<value_type>>) {
      ndp::detail::copy_fields(destination[first + u], value);
    } else {
      store<element_t<D>>(destination[first + u], value);
    }
  }
}

}  // namespace fettle::ndp::host::detail
