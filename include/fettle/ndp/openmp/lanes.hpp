// lanes: vectors of a processor, and the operators that work on whole vectors.
//
// Written with the compilers' vector types, because at -O2 a loop of unknown length is not
// vectorised, and a floating-point sum never without -ffast-math; and without `omp simd`, in which
// a user's function may not throw.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/ndp/function.hpp>
#include <fettle/ndp/index.hpp>

namespace fettle::ndp::openmp {

/// What the program is compiled for: 16 bytes on any x86-64 or ARM.
#if defined(__AVX512F__)
inline constexpr int lane_bytes = 64;
#elif defined(__AVX__)
inline constexpr int lane_bytes = 32;
#else
inline constexpr int lane_bytes = 16;
#endif

namespace detail {

template <typename T>
struct vector_type {
  typedef T type __attribute__((vector_size(lane_bytes)));
};

template <typename T>
struct vector_of_four {
  typedef T type __attribute__((vector_size(4 * sizeof(T))));
};

template <typename T>
inline constexpr bool fits_lanes_v =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;

template <typename Op, typename T>
inline constexpr bool has_lanes_v = false;
template <typename T>
inline constexpr bool has_lanes_v<plus, T> = fits_lanes_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<multiplies, T> = fits_lanes_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<minimum, T> = fits_lanes_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<maximum, T> = fits_lanes_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<bit_and, T> = fits_lanes_v<T>&& std::is_integral_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<bit_or, T> = fits_lanes_v<T>&& std::is_integral_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<bit_xor, T> = fits_lanes_v<T>&& std::is_integral_v<T>;

}  // namespace detail

/// As many T's as a vector holds.
template <typename T>
using lanes_t = typename detail::vector_type<T>::type;
template <typename T>
inline constexpr index_t lanes_v = lane_bytes / static_cast<index_t>(sizeof(T));

/// Four T's.
template <typename T>
using fours_t = typename detail::vector_of_four<T>::type;

/// Op works on whole vectors of T, in the sense of combine_lanes().
template <typename Op, typename T>
concept lane_operation = detail::has_lanes_v<Op, T> && has_identity_v<Op, T>;

/// a = a op b, lane by lane.
template <typename Op, typename V>
[[gnu::always_inline]] inline void combine_lanes(V& a, const V& b) {
  if constexpr (std::is_same_v<Op, plus>) {
    a = a + b;
  } else if constexpr (std::is_same_v<Op, multiplies>) {
    a = a * b;
  } else if constexpr (std::is_same_v<Op, minimum>) {
    a = b < a ? b : a;
  } else if constexpr (std::is_same_v<Op, maximum>) {
    a = a < b ? b : a;
  } else if constexpr (std::is_same_v<Op, bit_and>) {
    a = a & b;
  } else if constexpr (std::is_same_v<Op, bit_or>) {
    a = a | b;
  } else {
    static_assert(std::is_same_v<Op, bit_xor>);
    a = a ^ b;
  }
}

namespace detail {

template <typename T, typename S, index_t... K>
[[nodiscard, gnu::always_inline]] inline lanes_t<T> lanes_at(
    const S& s, index_t i, std::integer_sequence<index_t, K...> /*lanes*/) {
  return lanes_t<T>{static_cast<T>(s[i + K])...};
}

}  // namespace detail

/// The vector of s[i], s[i + 1], ...
template <typename T, typename S>
[[nodiscard, gnu::always_inline]] inline lanes_t<T> load_lanes(const S& s, index_t i) {
  return detail::lanes_at<T>(s, i, std::make_integer_sequence<index_t, lanes_v<T>>{});
}

/// The four s[i] ... s[i + 3].
template <typename T, typename S>
[[nodiscard, gnu::always_inline]] inline fours_t<T> load_fours(const S& s, index_t i) {
  return fours_t<T>{static_cast<T>(s[i]), static_cast<T>(s[i + 1]), static_cast<T>(s[i + 2]),
                    static_cast<T>(s[i + 3])};
}

}  // namespace fettle::ndp::openmp
