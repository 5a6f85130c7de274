// computed_block: a few neighbours that a user's function computes, into memory of the thread.
//
// Compilers vectorise a loop of a fixed length over the function, also at -O2, but neither a vector
// that is put together from results of the function, nor the function in a loop whose sums wait for
// each other. So those read the results from a buffer, which stays in the first-level cache.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/vector_loop.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Structs of so few bytes that compilers vectorise loops over their numbers.
template <typename T>
inline constexpr bool is_small_struct_v =
    std::is_trivially_copyable_v<T> && sizeof(T) <= 16 && ndp::detail::of_numbers<T>;

/// Numbers, or small structs of them, that lie side by side in memory; or numbers that count.
template <typename S>
inline constexpr bool is_of_neighbours_v = false;
template <typename T>
inline constexpr bool is_of_neighbours_v<sequence<T>> =
    std::is_arithmetic_v<std::remove_cv_t<T>> || is_small_struct_v<std::remove_cv_t<T>>;
template <typename S>
inline constexpr bool is_of_neighbours_v<window<S>> = is_of_neighbours_v<S>;
template <typename T, typename Stride>
inline constexpr bool is_of_neighbours_v<counting_sequence<T, Stride>> = true;
template <typename... S>
inline constexpr bool is_of_neighbours_v<zipped_sequence<S...>> = (is_of_neighbours_v<S> && ...);
template <typename F, typename... S>
inline constexpr bool is_of_neighbours_v<transformed_sequence<F, S...>> =
    std::is_arithmetic_v<typename transformed_sequence<F, S...>::value_type> &&
    (is_of_neighbours_v<S> && ...);

template <typename S>
inline constexpr bool is_range_v = false;
template <typename T, typename Stride>
inline constexpr bool is_range_v<counting_sequence<T, Stride>> = true;

/// Whether a function has no state but a few numbers. What else it holds it may look up by the
/// values that it is given, and vectors that are loaded from many places are slow.
template <typename F>
inline constexpr bool holds_numbers_v =
    std::is_empty_v<F> || sizeof(F) <= sizeof(double) || ndp::detail::of_numbers<F>;

/// A map by a function of the user's to numbers that is best computed by a separate loop.
template <typename S>
inline constexpr bool is_computed_v = false;
template <typename F, typename... S>
inline constexpr bool is_computed_v<transformed_sequence<F, S...>> =
    !is_cheap_v<transformed_sequence<F, S...>> &&
    is_of_neighbours_v<transformed_sequence<F, S...>> &&
    (holds_numbers_v<F> || (is_range_v<S> && ...));

/// Elements of a buffer.
inline constexpr index_t computed_elements = 64;

// to[k] = s[first + k] for k in [0, Count).
template <index_t Count, typename T, typename S>
[[gnu::always_inline]] inline void compute_elements(const S& s, index_t first, T* to) {
  vector_loop<Count>([&](index_t k) { to[k] = static_cast<T>(s[first + k]); });
}

/// The same, where S is made of ranges as a block of them.
template <index_t Count, typename T, typename S>
[[gnu::always_inline]] inline void compute_block(const S& s, index_t first, T* to) {
  if constexpr (in_blocks<S>) {
    compute_elements<Count>(block_of<S>::from(s, first, Count), 0, to);
  } else {
    compute_elements<Count>(s, first, to);
  }
}

}  // namespace fettle::ndp::host::detail
