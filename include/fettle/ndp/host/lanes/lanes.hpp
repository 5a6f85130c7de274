// lanes: vectors of a processor, and the operators that work on whole vectors.
//
// Written with the compilers' vector types, because at -O2 a loop of unknown length is not
// vectorised, and a floating-point sum never without -ffast-math; and without `omp simd`, in which
// a user's function may not throw.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// What the program is compiled for: 16 bytes on any x86-64 or ARM.
#if defined(__AVX512F__)
inline constexpr int lane_bytes = 64;
#elif defined(__AVX__)
inline constexpr int lane_bytes = 32;
#else
inline constexpr int lane_bytes = 16;
#endif

/// Keeps GCC from vectorising the loop that it stands in.
[[gnu::always_inline]] inline void keep_scalar() {
#if defined(__GNUC__) && !defined(__clang__)
  asm volatile("");
#endif
}

template <typename T, int N>
struct vector_of {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <typename T, int N>
using vector_t = typename vector_of<T, N>::type;

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
inline constexpr bool has_lanes_v<bit_and, T> = fits_lanes_v<T> && std::is_integral_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<bit_or, T> = fits_lanes_v<T> && std::is_integral_v<T>;
template <typename T>
inline constexpr bool has_lanes_v<bit_xor, T> = fits_lanes_v<T> && std::is_integral_v<T>;

/// As many T's as a vector holds.
template <typename T>
using lanes_t = typename vector_of<T, lane_bytes / static_cast<int>(sizeof(T))>::type;
template <typename T>
inline constexpr index_t lanes_v = lane_bytes / static_cast<int>(sizeof(T));

/// Four T's, and eight.
template <typename T>
using fours_t = typename vector_of<T, 4>::type;
template <typename T>
using eights_t = typename vector_of<T, 8>::type;

/// Op works on whole vectors of T, in the sense of combine_lanes().
template <typename Op, typename T>
concept lane_operation = has_lanes_v<Op, T> && has_identity_v<Op, T>;

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

// The halves of a vector. (Where they are copied out as bytes, GCC 12 sends wide vectors through
// memory; and nvcc does not take a pack of lanes.)
template <index_t N, typename V, typename Half>
[[gnu::always_inline]] inline void halve(const V& v, Half& low, Half& high) {
  if constexpr (N == 4) {
    low = __builtin_shufflevector(v, v, 0, 1);
    high = __builtin_shufflevector(v, v, 2, 3);
  } else if constexpr (N == 8) {
    low = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  } else if constexpr (N == 16) {
    low = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
    high = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  } else {
    std::memcpy(&low, &v, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof low, sizeof high);
  }
}

/// All N lanes of a vector combined, in halves.
template <typename Op, typename T, index_t N, typename V>
[[nodiscard, gnu::always_inline]] inline T combine_all(const V& v) {
  if constexpr (N == 1) {
    return v[0];
  } else if constexpr (N == 2) {
    return static_cast<T>(Op{}(static_cast<T>(v[0]), static_cast<T>(v[1])));
  } else {
    typename vector_of<T, static_cast<int>(N / 2)>::type low;
    typename vector_of<T, static_cast<int>(N / 2)>::type high;
    halve<N>(v, low, high);
    combine_lanes<Op>(low, high);
    return combine_all<Op, T, N / 2>(low);
  }
}

// f(a, b) for whole vectors too.
template <typename F>
inline constexpr bool is_vector_function_v =
    std::is_same_v<F, plus> || std::is_same_v<F, minus> || std::is_same_v<F, multiplies>;

// How to load N neighbouring elements of an S as T's: one by one, of which compilers make vector
// instructions where they can. (Into an argument, because a vector that is wider than the
// processor's cannot be returned in the same way by all that a program is compiled with.)
template <typename T, int N, typename S>
struct vector_loader {
  using vector = typename vector_of<T, N>::type;

  [[gnu::always_inline]] static inline void load(const S& s, index_t i, vector& out) {
    load(s, i, out, std::make_integer_sequence<int, N>{});
  }

 private:
  template <int... K>
  [[gnu::always_inline]] static inline void load(const S& s, index_t i, vector& out,
                                                 std::integer_sequence<int, K...> /*lanes*/) {
    out = vector{static_cast<T>(s[i + K])...};
  }
};

template <typename T, int N, typename Element>
  requires std::is_same_v<T, std::remove_const_t<Element>>
struct vector_loader<T, N, sequence<Element>> {
  using vector = typename vector_of<T, N>::type;

  [[gnu::always_inline]] static inline void load(const sequence<Element>& s, index_t i,
                                                 vector& out) {
    check_index("sequence", i, s.size());
    check_index("sequence", i + N - 1, s.size());
    std::memcpy(&out, s.data() + i, sizeof out);
  }
};

template <typename T, int N, typename F, typename A, typename B>
  requires(is_vector_function_v<F> && std::is_same_v<typename A::value_type, T> &&
           std::is_same_v<typename B::value_type, T> &&
           std::is_same_v<typename transformed_sequence<F, A, B>::value_type, T>)
struct vector_loader<T, N, transformed_sequence<F, A, B>> {
  using vector = typename vector_of<T, N>::type;

  [[gnu::always_inline]] static inline void load(const transformed_sequence<F, A, B>& s, index_t i,
                                                 vector& out) {
    vector b;
    vector_loader<T, N, A>::load(get<0>(s.sources), i, out);
    vector_loader<T, N, B>::load(get<1>(s.sources), i, b);
    if constexpr (std::is_same_v<F, plus>) {
      out = out + b;
    } else if constexpr (std::is_same_v<F, minus>) {
      out = out - b;
    } else {
      out = out * b;
    }
  }
};

/// The vector of s[i], s[i + 1], ...
template <typename T, typename S>
[[nodiscard, gnu::always_inline]] inline lanes_t<T> load_lanes(const S& s, index_t i) {
  lanes_t<T> out;
  vector_loader<T, lanes_v<T>, S>::load(s, i, out);
  return out;
}

/// The four s[i] ... s[i + 3].
template <typename T, typename S>
[[nodiscard, gnu::always_inline]] inline fours_t<T> load_fours(const S& s, index_t i) {
  fours_t<T> out;
  vector_loader<T, 4, S>::load(s, i, out);
  return out;
}

/// The N elements s[i] ... s[i + N - 1].
template <typename T, int N, typename S>
[[gnu::always_inline]] inline void load_vector(const S& s, index_t i, vector_t<T, N>& out) {
  vector_loader<T, N, S>::load(s, i, out);
}

}  // namespace fettle::ndp::host::detail
