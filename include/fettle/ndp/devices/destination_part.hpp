// destination_part: where the results of one part of a computation go.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/devices/part_of.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// A part of a destination with an epilogue, whose other arguments are divided like the rows.
template <typename F, std::size_t Index, typename D, typename... Others>
struct part_rule<epilogue_destination<F, Index, D, Others...>> {
  static constexpr auto of(const epilogue_destination<F, Index, D, Others...>& d, index_t first,
                           index_t count) {
    const auto to = part_of(d.destination, first, count);
    return epilogue_destination<F, Index, std::remove_const_t<decltype(to)>,
                                decltype(part_of(std::declval<const Others&>(), first, count))...>{
        d.function, to, parts_of(d.others, first, count)};
  }
};

/// Offsets of a nest's part count from the start of the whole, others from the start of the part.
template <typename S>
inline constexpr bool counts_from_whole_v = false;
template <typename S, typename O>
inline constexpr bool counts_from_whole_v<nested_sequence<S, O>> = true;

/// What one element of E results in; of a row program what it yields to a team.
template <typename E>
[[nodiscard]] consteval auto result_tag() {
  if constexpr (ndp::detail::is_map_of_programs_v<E> && !ndp::detail::is_sized_map_v<E>) {
    using sized =
        decltype(ndp::detail::with_team<ndp::detail::sizing_team>(std::declval<const E&>()));
    return std::type_identity<typename sized::value_type>{};
  } else {
    return std::type_identity<typename E::value_type>{};
  }
}
template <typename E>
using result_t = typename decltype(result_tag<E>())::type;

/// Results are rows that go into a flat destination.
template <typename E, typename D>
inline constexpr bool writes_flat_rows_v = [] {
  if constexpr (std::is_void_v<result_t<E>> || std::is_same_v<D, no_destination>) {
    return false;
  } else {
    return (sequence_like<result_t<E>> || row_reduce_node<result_t<E>>) && !nested<D>;
  }
}();

/// The elements of `destination` that rows first to first + count - 1 of `e` are written to.
template <typename E, typename D>
[[nodiscard]] constexpr auto destination_part(const E& e, const D& destination, index_t first,
                                              index_t count) {
  if constexpr (std::is_same_v<D, no_destination>) {
    return destination;
  } else if constexpr (writes_flat_rows_v<E, D>) {
    const auto& shape = outer_shape(e);
    if constexpr (counts_from_whole_v<std::remove_cvref_t<decltype(shape)>>) {
      return destination;
    } else {
      const index_t begin = shape.row_begin(first);
      return part_of(destination, begin, shape.row_begin(first + count) - begin);
    }
  } else {
    return part_of(destination, first, count);
  }
}

}  // namespace fettle::ndp::devices::detail
