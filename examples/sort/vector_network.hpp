// A bitonic network that sorts up to eight registers of AVX2, for the vectorised sort
// (vectorised.hpp). A register holds the integers that order as its keys do, eight of 32 bits or
// four of 64.
#pragma once

#include <utility>

#include "algorithms.hpp"

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define SORTING_HAS_VECTORS

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif

namespace sorting::vectors {

/// What a register holds: the ranks of keys, which lie in memory as keys with the ranks' bits.
template <class Key>
struct registers;
template <>
struct registers<float> {
  using rank = std::int32_t;
  using vector = std::int32_t __attribute__((vector_size(32)));
};
template <>
struct registers<double> {
  using rank = std::int64_t;
  using vector = std::int64_t __attribute__((vector_size(32)));
};
template <class Key>
using rank_t = typename registers<Key>::rank;
template <class Key>
using vector_t = typename registers<Key>::vector;
template <class Key>
inline constexpr int lanes = 32 / int{sizeof(Key)};
template <class Key>
using lane_numbers = std::make_integer_sequence<int, lanes<Key>>;

template <class Key>
vector_t<Key> load(const Key* keys) {
  vector_t<Key> v;
  std::memcpy(&v, keys, sizeof v);
  return v;
}

template <class Key>
void store(Key* keys, const vector_t<Key>& v) {
  std::memcpy(keys, &v, sizeof v);
}

/// Puts lanes in order whose numbers differ by the bits of Mask.
template <class Key, int Mask, int... Lane>
void exchange(vector_t<Key>& v, std::integer_sequence<int, Lane...>) {
  constexpr int highest = static_cast<int>(std::bit_floor(static_cast<unsigned>(Mask)));
  constexpr vector_t<Key> greater = {((Lane & highest) != 0 ? -1 : 0)...};
  const vector_t<Key> other = __builtin_shufflevector(v, v, (Lane ^ Mask)...);
  v = ((v > other) ^ greater) ? other : v;
}

template <class Key>
void exchange(vector_t<Key>& p, vector_t<Key>& q) {
  const vector_t<Key> lesser = p < q ? p : q;
  q = p < q ? q : p;
  p = lesser;
}

/// Sorts each piece of `2 * Distance` lanes. Precondition: these are bitonic.
template <class Key, int Distance>
void merge_lanes(vector_t<Key>& v) {
  if constexpr (Distance > 0) {
    exchange<Key, Distance>(v, lane_numbers<Key>());
    merge_lanes<Key, Distance / 2>(v);
  }
}

template <class Key, int... Lane>
vector_t<Key> reversed(const vector_t<Key>& v, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(v, v, (lanes<Key> - 1 - Lane)...);
}

/// Sorts `Count` registers, a power of two, as one sequence.
template <class Key, int Count>
void sort_registers(vector_t<Key>* v) {
  if constexpr (Count == 1) {
    exchange<Key, 1>(*v, lane_numbers<Key>());
    exchange<Key, 3>(*v, lane_numbers<Key>());
    exchange<Key, 1>(*v, lane_numbers<Key>());
    if constexpr (lanes<Key> == 8) {
      exchange<Key, 7>(*v, lane_numbers<Key>());
      merge_lanes<Key, 2>(*v);
    }
  } else {
    sort_registers<Key, Count / 2>(v);
    sort_registers<Key, Count / 2>(v + Count / 2);
    for (int k = 0; k < Count / 2; ++k) {
      vector_t<Key>& last = v[Count - 1 - k];
      last = reversed<Key>(last, lane_numbers<Key>());
      exchange<Key>(v[k], last);  // both halves are bitonic now, in whichever direction
    }
    for (int distance = Count / 4; distance > 0; distance /= 2)
      for (int k = 0; k < Count; ++k)
        if ((k & distance) == 0) exchange<Key>(v[k], v[k + distance]);
    for (int k = 0; k < Count; ++k) merge_lanes<Key, lanes<Key> / 2>(v[k]);
  }
}

/// All bits of the first `n` lanes, at most all.
template <class Key>
__m256i first_lanes(std::ptrdiff_t n) {
  constexpr vector_t<float> words = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto few = static_cast<std::int32_t>(std::max<std::ptrdiff_t>(n, 0));
  return reinterpret_cast<__m256i>(words < few * static_cast<std::int32_t>(sizeof(Key) / 4));
}

/// Sorts keys that at most `Count` registers hold; the greatest rank fills these up.
template <class Key, int Count = 8>
void sort_few(Key* keys, std::ptrdiff_t n) {
  if constexpr (Count > 1)
    if (n <= Count / 2 * lanes<Key>) return sort_few<Key, Count / 2>(keys, n);
  vector_t<Key> v[unsigned{Count}];
  for (int k = 0; k < Count; ++k) {
    Key* const at = keys + k * lanes<Key>;
    const std::ptrdiff_t left = n - k * lanes<Key>;
    if (left >= lanes<Key>) {
      v[k] = load(at);
    } else {
      const __m256i inside = first_lanes<Key>(left);
      v[k] = reinterpret_cast<vector_t<Key>>(
                 _mm256_maskload_epi32(reinterpret_cast<const int*>(at), inside)) |
             (~reinterpret_cast<vector_t<Key>>(inside) & std::numeric_limits<rank_t<Key>>::max());
    }
  }
  sort_registers<Key, Count>(v);
  for (int k = 0; k < Count; ++k) {
    Key* const at = keys + k * lanes<Key>;
    const std::ptrdiff_t left = n - k * lanes<Key>;
    if (left >= lanes<Key>)
      store(at, v[k]);
    else if (left > 0)
      _mm256_maskstore_epi32(reinterpret_cast<int*>(at), first_lanes<Key>(left),
                             reinterpret_cast<__m256i>(v[k]));
  }
}

}  // namespace sorting::vectors

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
