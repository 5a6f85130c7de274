// whole_of_windows: a map over windows, such as a device's part of a stencil, as indices of the map
// over what the windows are of. A kernel that adds the beginning of a window to every index takes
// more registers, and a multiprocessor has room for fewer threads: a fifth of the time of a
// stencil. Needs no CUDA.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A map whose sources are windows, or contiguous; at least one is a window.
template <typename E>
inline constexpr bool is_map_of_windows_v = false;
template <typename F, typename... S>
inline constexpr bool is_map_of_windows_v<transformed_sequence<F, S...>> =
    ((ndp::detail::is_window_v<S> || ndp::detail::is_contiguous_v<S>) && ...) &&
    (ndp::detail::is_window_v<S> || ...);

/// Where all of its windows begin; -1 where they begin at different places.
template <typename F, typename... S>
[[nodiscard]] constexpr index_t first_of_windows(const transformed_sequence<F, S...>& e) {
  index_t first = -1;
  bool same = true;
  for_each_operand(e.sources, [&](const auto& source) {
    if constexpr (ndp::detail::is_window_v<std::remove_cvref_t<decltype(source)>>) {
      same = same && (first < 0 || first == source.first());
      first = source.first();
    }
  });
  return same ? first : -1;
}

/// The elements of `s` from index `first` on; those before are not to be touched.
template <typename T>
[[nodiscard]] constexpr sequence<T> begun_before(const sequence<T>& s, index_t first) {
  return {s.data() - first, s.size() + first};
}
template <typename S>
[[nodiscard]] constexpr S begun_before(const window<S>& s, index_t /*first*/) {
  return s.base();
}

/// The map of which elements from `first` on are those of `e`.
template <typename F, typename... S>
[[nodiscard]] constexpr auto over_whole(const transformed_sequence<F, S...>& e, index_t first) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    using whole = transformed_sequence<F, decltype(begun_before(std::declval<const S&>(), 0))...>;
    return whole{e.function, tuple_of<decltype(begun_before(std::declval<const S&>(), 0))...>(
                                 begun_before(get<Is>(e.sources), first)...)};
  }(std::index_sequence_for<S...>{});
}

}  // namespace fettle::ndp::cuda::detail
