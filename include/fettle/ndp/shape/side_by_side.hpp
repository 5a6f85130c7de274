// side_by_side: two maps of equally long sequences as one map that yields both values: horizontal
// fusion. What the two have in common is read once from memory, and one kernel does both.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/operator_rules.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::rules {

namespace detail {

/// f of the first Count arguments, and g of the others. Of rows it is a row program.
template <typename F, typename G, std::size_t Count>
struct both {
  F first;
  G second;

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename... Xs>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator()(const Xs&... xs) const {
    return call(tuple_of<const Xs&...>(xs...), std::make_index_sequence<Count>{},
                std::make_index_sequence<sizeof...(Xs) - Count>{});
  }

 private:
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename All, std::size_t... Is, std::size_t... Js>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto call(
      const All& all, std::index_sequence<Is...> /*first*/,
      std::index_sequence<Js...> /*second*/) const {
    return make_tuple(first(get<Is>(all)...), second(get<Count + Js>(all)...));
  }
};

/// The function as the user wrote it.
template <typename F>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr const F& user_function(const F& f) {
  return f;
}
template <typename F, typename Team>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr const F& user_function(const row_function<F, Team>& f) {
  return f.function;
}
template <typename F>
using user_function_t = std::remove_cvref_t<decltype(user_function(std::declval<const F&>()))>;

template <typename E1, typename E2>
inline constexpr bool fit_side_by_side_v = false;
template <typename F, typename... S, typename G, typename... T>
inline constexpr bool
    fit_side_by_side_v<transformed_sequence<F, S...>, transformed_sequence<G, T...>> = [] {
      if constexpr ((nested<S> || ...) && (nested<T> || ...)) {
        using function = both<user_function_t<F>, user_function_t<G>, sizeof...(S)>;
        return ndp::detail::is_row_program_v<function, S..., T...>;
      } else {
        return maps_values_v<transformed_sequence<F, S...>> && !(nested<S> || ...) &&
               maps_values_v<transformed_sequence<G, T...>> && !(nested<T> || ...);
      }
    }();

}  // namespace detail

struct side_by_side {
  static constexpr operator_rule rule{
      "side_by_side", "map, map", "map of pairs",
      "two maps of values, or two maps of rows by generic functions, equally long"};
  template <typename E1, typename E2>
  static constexpr bool applies_v =
      detail::fit_side_by_side_v<std::remove_cvref_t<E1>, std::remove_cvref_t<E2>>;

  /// Into a zip of the destinations of both it writes what they do.
  template <typename F, typename... S, typename G, typename... T>
  [[nodiscard]] static constexpr auto apply(const transformed_sequence<F, S...>& e1,
                                            const transformed_sequence<G, T...>& e2) {
    using function =
        detail::both<detail::user_function_t<F>, detail::user_function_t<G>, sizeof...(S)>;
    return [&]<std::size_t... Is, std::size_t... Js>(std::index_sequence<Is...> /*first*/,
                                                     std::index_sequence<Js...> /*second*/) {
      return ndp::map(
          function{detail::user_function(e1.function), detail::user_function(e2.function)},
          get<Is>(e1.sources)..., get<Js>(e2.sources)...);
    }(std::index_sequence_for<S...>{}, std::index_sequence_for<T...>{});
  }
};

}  // namespace fettle::ndp::rules
