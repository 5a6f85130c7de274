// Whether an element of a reduction is a computation rather than a load: computed by a function
// that reads more than its arguments. Needs no CUDA.
//
// A function that carries nothing or a few numbers, such as multiplies, costs next to nothing
// beside the loads of its arguments. One that carries many views walks through them: tables, an
// atom's neighbours. That is much, and it differs from element to element.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/map.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

namespace detail {
inline constexpr std::size_t costly_function_bytes = 64;  // four views
}  // namespace detail

/// Whether a call of F costs more than its loads. Specialise it where a function's size misleads;
/// it decides what the default rule chooses, never a result.
template <typename F>
inline constexpr bool is_costly_v = sizeof(F) > detail::costly_function_bytes;

namespace detail {

/// Whether an element of the sequence S is. A view is a template over other views and types, so its
/// arguments are looked through.
template <typename S>
inline constexpr bool has_costly_elements_v = false;
template <template <typename...> typename View, typename... Arguments>
inline constexpr bool has_costly_elements_v<View<Arguments...>> =
    (has_costly_elements_v<Arguments> || ...);
template <typename F, typename... S>
inline constexpr bool has_costly_elements_v<transformed_sequence<F, S...>> =
    is_costly_v<F> || (has_costly_elements_v<S> || ...);

}  // namespace detail

}  // namespace fettle::ndp::cuda
