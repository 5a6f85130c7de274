// knob_checks: which knobs of a policy (schedule/knobs.hpp) a computation has, so that a tuner may
// try them, and a sentence for each that it does not have.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// The reduction that E is, or that each element of the map E is.
template <typename E>
struct reduction_in {
  using type = void;
};
template <scalar_reduce_node E>
struct reduction_in<E> {
  using type = E;
};
template <typename F, typename... S>
  requires scalar_reduce_node<typename transformed_sequence<F, S...>::value_type>
struct reduction_in<transformed_sequence<F, S...>> {
  using type = typename transformed_sequence<F, S...>::value_type;
};
template <typename E>
using reduction_in_t = typename reduction_in<std::remove_cvref_t<E>>::type;

template <typename R>
[[nodiscard]] consteval bool of_floating_point() {
  if constexpr (std::is_void_v<R>) {
    return false;
  } else {
    return std::is_floating_point_v<typename R::value_type>;
  }
}

template <typename R>
[[nodiscard]] consteval bool estimates_by_sample() {
  if constexpr (std::is_void_v<R>) {
    return false;
  } else {
    return is_additive_v<decltype(R::op)> || is_mean_like_v<decltype(R::op)>;
  }
}

template <typename R>
[[nodiscard]] consteval bool of_doubles() {
  if constexpr (!of_floating_point<R>()) {
    return false;
  } else {
    return sizeof(typename R::value_type) > sizeof(float);
  }
}

/// A map of floating-point numbers, or of reductions to such.
template <typename E>
inline constexpr bool maps_to_numbers_v = false;
template <typename F, typename... S>
inline constexpr bool maps_to_numbers_v<transformed_sequence<F, S...>> =
    !is_map_of_programs_v<transformed_sequence<F, S...>> &&
    (std::is_floating_point_v<typename transformed_sequence<F, S...>::value_type> ||
     of_floating_point<reduction_in_t<transformed_sequence<F, S...>>>());

}  // namespace detail

/// Whether a knob has a meaning for E: what a tuner may try.
template <typename E>
inline constexpr bool can_sample_v = detail::of_floating_point<detail::reduction_in_t<E>>() &&
                                     detail::estimates_by_sample<detail::reduction_in_t<E>>();
template <typename E>
inline constexpr bool can_perforate_v = detail::maps_to_numbers_v<std::remove_cvref_t<E>>;
template <typename E>
inline constexpr bool can_accumulate_singly_v = detail::of_doubles<detail::reduction_in_t<E>>();

/// Whether E can be computed with these knobs, and a sentence where not.
template <knobs K, typename E>
[[nodiscard]] consteval bool check_knobs() {
  using reduction = detail::reduction_in_t<E>;
  constexpr bool reduces = !std::is_void_v<reduction>;
  constexpr bool samples = K.sample > 1;
  static_assert(!samples || reduces,
                "sample: only a reduce, or a map of reduces, reads a sample; results of a map are "
                "left out by perforate");
  static_assert(!samples || !reduces || detail::of_floating_point<reduction>(),
                "sample: the reduction has to be of floating-point numbers; a sample does not "
                "estimate a reduction of integers or other types");
  static_assert(!samples || !detail::of_floating_point<reduction>() ||
                    detail::estimates_by_sample<reduction>(),
                "sample: this operator's result on all elements cannot be estimated from a sample; "
                "that of plus is scaled, and an operator with a member is_additive = true or "
                "is_mean_like = true says that it can be, or need not be");
  static_assert(K.perforate <= 1 || can_perforate_v<E>,
                "perforate: only a map of floating-point numbers, or of reductions to such, has "
                "results that others may repeat");
  constexpr bool narrows = K.accumulation != precision::full;
  static_assert(!narrows || can_accumulate_singly_v<E>,
                "accumulation=single: there is no reduction of doubles here that could add up in "
                "float");
  return (!samples || can_sample_v<E>) && (K.perforate <= 1 || can_perforate_v<E>) &&
         (!narrows || can_accumulate_singly_v<E>);
}

}  // namespace fettle::ndp
