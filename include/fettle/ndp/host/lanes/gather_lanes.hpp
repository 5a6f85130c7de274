// gather_lanes: a processor's instructions that load a vector from scattered addresses.
//
// On Intel's processors with AVX-512 they beat loads one by one, on AMD's they take more than twice
// as long; so the program asks, once, what it runs on. The vector's end can be masked off, so that
// a run of any length takes whole vectors. All vectors are of eight: a gather takes as long as its
// lanes are many, masked off or not, so that sixteen floats gain nothing and short rows lose.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// gather_loader<T, S>: loads those of eight elements of an S from s[i] on that a mask says, zeros
// in place of the others. `loads`: it can; `gathers`: from scattered addresses.
template <typename T, typename S>
struct gather_loader {
  static constexpr bool loads = false;
  static constexpr bool gathers = false;
};

#if defined(__AVX512F__) && defined(__AVX512VL__)

// Numbers of 32 and 64 bits.
template <typename T>
inline constexpr bool has_gather_v = std::is_same_v<T, double> || std::is_same_v<T, float> ||
                                     (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));

// The first `count` of eight lanes, which are fewer than all.
[[nodiscard, gnu::always_inline]] inline __mmask8 first_lanes(index_t count) {
  return static_cast<__mmask8>((1U << count) - 1U);
}

template <typename T, typename Element>
  requires(has_gather_v<T> && std::is_same_v<T, std::remove_const_t<Element>>)
struct gather_loader<T, sequence<Element>> {
  static constexpr bool loads = true;
  static constexpr bool gathers = false;

  [[gnu::always_inline]] static inline void load(const sequence<Element>& s, index_t i,
                                                 __mmask8 mask, eights_t<T>& out) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      out = reinterpret_cast<eights_t<T>>(_mm512_maskz_loadu_epi64(mask, s.data() + i));
    } else if constexpr (std::is_integral_v<T>) {
      out = reinterpret_cast<eights_t<T>>(_mm256_maskz_loadu_epi32(mask, s.data() + i));
    } else if constexpr (sizeof(T) == 8) {
      out = _mm512_maskz_loadu_pd(mask, s.data() + i);
    } else {
      out = _mm256_maskz_loadu_ps(mask, s.data() + i);
    }
  }
};

template <typename T, typename Element, typename Index>
  requires(has_gather_v<T> && std::is_same_v<T, std::remove_const_t<Element>> &&
           std::is_same_v<std::int32_t, std::remove_const_t<Index>>)
struct gather_loader<T, gathered_sequence<sequence<Element>, sequence<Index>>> {
  static constexpr bool loads = true;
  static constexpr bool gathers = true;

  using view = gathered_sequence<sequence<Element>, sequence<Index>>;

  [[gnu::always_inline]] static inline void load(const view& s, index_t i, __mmask8 mask,
                                                 eights_t<T>& out) {
    const __m256i indices = _mm256_maskz_loadu_epi32(mask, s.indices.data() + i);
// Without optimization the two intrinsics are macros that convert the mask to char.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      out = reinterpret_cast<eights_t<T>>(
          _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), mask, indices, s.source.data(), 8));
    } else if constexpr (std::is_integral_v<T>) {
      const auto* const from = reinterpret_cast<const int*>(s.source.data());
      out = reinterpret_cast<eights_t<T>>(
          _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), mask, indices, from, 4));
    } else if constexpr (sizeof(T) == 8) {
      out = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask, indices, s.source.data(), 8);
    } else {
      out = _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), mask, indices, s.source.data(), 4);
    }
#pragma GCC diagnostic pop
  }
};

template <typename T, typename F, typename A, typename B>
  requires(is_vector_function_v<F> && gather_loader<T, A>::loads && gather_loader<T, B>::loads &&
           std::is_same_v<typename transformed_sequence<F, A, B>::value_type, T>)
struct gather_loader<T, transformed_sequence<F, A, B>> {
  static constexpr bool loads = true;
  static constexpr bool gathers = gather_loader<T, A>::gathers || gather_loader<T, B>::gathers;

  [[gnu::always_inline]] static inline void load(const transformed_sequence<F, A, B>& s, index_t i,
                                                 __mmask8 mask, eights_t<T>& out) {
    eights_t<T> b;
    gather_loader<T, A>::load(get<0>(s.sources), i, mask, out);
    gather_loader<T, B>::load(get<1>(s.sources), i, mask, b);
    if constexpr (std::is_same_v<F, plus>) {
      out = out + b;
    } else if constexpr (std::is_same_v<F, minus>) {
      out = out - b;
    } else {
      out = out * b;
    }
  }
};

// Asked once.
inline const bool is_intel = [] {
  __builtin_cpu_init();
  return __builtin_cpu_is("intel") != 0;
}();

[[nodiscard]] inline bool gathers_fast() noexcept { return is_intel; }

// The eight s[i] ... s[i + 7].
template <typename T, typename S>
[[gnu::always_inline]] inline void gather_eights(const S& s, index_t i, eights_t<T>& out) {
  gather_loader<T, S>::load(s, i, 0xff, out);
}

// The elements that the mask says, the identity in place of the others.
template <typename Op, typename T, typename S>
[[gnu::always_inline]] inline void load_gathered(const S& s, index_t i, __mmask8 mask,
                                                 eights_t<T>& out) {
  gather_loader<T, S>::load(s, i, mask, out);
  if constexpr (!std::is_same_v<Op, plus>) {  // of which it is what the loader puts there
    const eights_t<T> none = eights_t<T>{} + identity_v<Op, T>;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      out = reinterpret_cast<eights_t<T>>(_mm512_mask_mov_epi64(
          reinterpret_cast<__m512i>(none), mask, reinterpret_cast<__m512i>(out)));
    } else if constexpr (std::is_integral_v<T>) {
      out = reinterpret_cast<eights_t<T>>(_mm256_mask_mov_epi32(
          reinterpret_cast<__m256i>(none), mask, reinterpret_cast<__m256i>(out)));
    } else if constexpr (sizeof(T) == 8) {
      out = _mm512_mask_mov_pd(none, mask, out);
    } else {
      out = _mm256_mask_mov_ps(none, mask, out);
    }
  }
}

// What the elements make, combined with `value`.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_gathered(const Op& op, const S& s, index_t first,
                                                         index_t last, T value) {
  using loader = gather_loader<T, S>;
  using vector = eights_t<T>;
  constexpr index_t width = 8;
  constexpr __mmask8 all = 0xff;
  vector a = vector{} + identity_v<Op, T>;
  vector b = a;
  vector next;
  for (; first + 2 * width <= last; first += 2 * width) {
    loader::load(s, first, all, next);
    combine_lanes<Op>(a, next);
    loader::load(s, first + width, all, next);
    combine_lanes<Op>(b, next);
  }
  if (first + width <= last) {
    loader::load(s, first, all, next);
    combine_lanes<Op>(a, next);
    first += width;
  }
  if (first < last) {
    load_gathered<Op, T>(s, first, first_lanes(last - first), next);
    combine_lanes<Op>(b, next);
  }
  combine_lanes<Op>(a, b);
  return static_cast<T>(op(value, combine_all<Op, T, width>(a)));
}

#else

[[nodiscard]] constexpr bool gathers_fast() noexcept { return false; }

template <typename T, typename S>
void gather_eights(const S& s, index_t i, eights_t<T>& out) = delete;
template <typename Op, typename S, typename T>
T fold_gathered(const Op& op, const S& s, index_t first, index_t last, T value) = delete;

#endif

/// Runs of S's elements can be reduced by vectors that gather; never in checked programs, where
/// each index is looked at. Whether they should be, gathers_fast() says.
template <typename Op, typename S, typename T>
concept gathered_lanes = !checked && lane_operation<Op, T> && gather_loader<T, S>::gathers;

}  // namespace fettle::ndp::host::detail
