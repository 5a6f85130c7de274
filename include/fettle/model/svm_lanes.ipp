// Definitions of svm_lanes.hpp: the same text for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/svm_lanes.hpp>
#include <fettle/model/svm_view.hpp>

#if (defined(__clang__) || __GNUC__ >= 12) && (defined(__x86_64__) || defined(__aarch64__))

namespace fettle::inline FETTLE_ABI::model::detail::lanes_2 {

inline constexpr std::size_t lanes = 2;
using vec = double __attribute__((vector_size(16)));
using bits = long long __attribute__((vector_size(16)));
using unsigned_bits = unsigned long long __attribute__((vector_size(16)));

/// The same value, where the compiler cannot see what it is: it may not undo the rounding.
[[gnu::always_inline]] inline vec hidden(vec value) noexcept {
#ifdef __x86_64__
  asm("" : "+x"(value));
#else
  asm("" : "+w"(value));
#endif
  return value;
}

/// The sum of each vector's lanes.
[[gnu::always_inline]] inline vec sums_of(const vec* v) noexcept {
  return __builtin_shufflevector(v[0], v[1], 0, 2) + __builtin_shufflevector(v[0], v[1], 1, 3);
}

[[gnu::always_inline]] inline std::uint64_t total_of(unsigned_bits v) noexcept {
  return v[0] + v[1];
}

#include <fettle/model/svm_lanes_body.inc>

}  // namespace fettle::model::detail::lanes_2

#ifdef __x86_64__

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace fettle::inline FETTLE_ABI::model::detail::lanes_4 {

inline constexpr std::size_t lanes = 4;
using vec = double __attribute__((vector_size(32)));
using bits = long long __attribute__((vector_size(32)));
using unsigned_bits = unsigned long long __attribute__((vector_size(32)));

[[gnu::always_inline]] inline vec hidden(vec value) noexcept {
  asm("" : "+x"(value));
  return value;
}

[[gnu::always_inline]] inline vec sums_of(const vec* v) noexcept {
  const vec low = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6) +
                  __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
  const vec high = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6) +
                   __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
  return __builtin_shufflevector(low, high, 0, 1, 4, 5) +
         __builtin_shufflevector(low, high, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline std::uint64_t total_of(unsigned_bits v) noexcept {
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
  return v[0] + v[1];
}

#include <fettle/model/svm_lanes_body.inc>

}  // namespace fettle::model::detail::lanes_4

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,fma")
#endif

namespace fettle::inline FETTLE_ABI::model::detail::lanes_8 {

inline constexpr std::size_t lanes = 8;
using vec = double __attribute__((vector_size(64)));
using bits = long long __attribute__((vector_size(64)));
using unsigned_bits = unsigned long long __attribute__((vector_size(64)));

[[gnu::always_inline]] inline vec hidden(vec value) noexcept {
  asm("" : "+v"(value));
  return value;
}

[[gnu::always_inline]] inline vec neighbours_summed(vec a, vec b) noexcept {
  return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
         __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

[[gnu::always_inline]] inline vec quarters_summed(vec a, vec b) noexcept {
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
         __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}

[[gnu::always_inline]] inline vec sums_of(const vec* v) noexcept {
  const vec low = quarters_summed(neighbours_summed(v[0], v[1]), neighbours_summed(v[2], v[3]));
  const vec high = quarters_summed(neighbours_summed(v[4], v[5]), neighbours_summed(v[6], v[7]));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

[[gnu::always_inline]] inline std::uint64_t total_of(unsigned_bits v) noexcept {
  v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
  return v[0] + v[1];
}

#include <fettle/model/svm_lanes_body.inc>

}  // namespace fettle::model::detail::lanes_8

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __x86_64__

namespace fettle::inline FETTLE_ABI::model::detail {

// AVX-512 only where it costs no clock frequency: the generations that brought VBMI2 (Ice Lake, Zen
// 4) and later.
FETTLE_INLINE std::size_t best_lanes() noexcept {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi2")) return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 2;
}

FETTLE_INLINE bool evaluate_in_lanes(const svm_view& svm, const lane_tables& tables,
                                     const double* x, double square, double* decisions,
                                     std::uint64_t& votes) noexcept {
  switch (tables.lanes) {
#ifdef __x86_64__
    case 8:
      return lanes_8::evaluate(svm, tables, x, square, decisions, votes);
    case 4:
      return lanes_4::evaluate(svm, tables, x, square, decisions, votes);
#endif
    case 2:
      return lanes_2::evaluate(svm, tables, x, square, decisions, votes);
    default:
      return false;
  }
}

}  // namespace fettle::model::detail

#else

namespace fettle::inline FETTLE_ABI::model::detail {

FETTLE_INLINE std::size_t best_lanes() noexcept { return 0; }

FETTLE_INLINE bool evaluate_in_lanes(const svm_view&, const lane_tables&, const double*, double,
                                     double*, std::uint64_t&) noexcept {
  return false;
}

}  // namespace fettle::model::detail

#endif
