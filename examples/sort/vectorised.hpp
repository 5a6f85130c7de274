// Quicksort in vector registers of AVX2, after Bramas (IJACSA 8(10), 2017) and Blacher, Giesen,
// Sanders and Wassenberg (arXiv:2205.05982). Keys are sorted as the integers that order as they do,
// eight of 32 or four of 64 bits at once: vectors are compressed to either side by a permutation
// from a table, in place, and up to eight vectors of keys are sorted by a bitonic network. Unlike
// there, the network takes no columns, and repetitions are found in the pivot's sample.
#pragma once

#include "vector_network.hpp"

#ifdef SORTING_HAS_VECTORS

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif

namespace sorting::vectors {

/// For each set of lanes the words of the others in order, then its own, a byte each.
template <class Key>
inline constexpr auto compressions = [] {
  std::array<std::uint64_t, 1 << lanes<Key>> found{};
  constexpr unsigned words = sizeof(Key) / 4;
  for (unsigned set = 0; set < found.size(); ++set) {
    unsigned byte = 0;
    for (const unsigned member : {0U, 1U})
      for (unsigned lane = 0; lane < unsigned{lanes<Key>}; ++lane)
        for (unsigned word = 0; word < words && ((set >> lane) & 1) == member; ++word)
          found[set] |= std::uint64_t{lane * words + word} << 8 * byte++;
  }
  return found;
}();

/// Where ranks up to the pivot's go, from `left` on, and greater ones, down from `right`.
template <class Key>
struct sides {
  Key* left;
  Key* right;
  vector_t<Key> pivot;

  void take(const vector_t<Key>& v) {
    const auto greater = reinterpret_cast<__m256i>(v > pivot);
    unsigned set;
    if constexpr (lanes<Key> == 8)
      set = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(greater)));
    else
      set = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(greater)));
    const __m256i order =
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(compressions<Key>[set])));
    const auto compressed = reinterpret_cast<vector_t<Key>>(
        _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), order));
    const int count = __builtin_popcount(set);
    store(left, compressed);
    store(right - lanes<Key>, compressed);
    left += lanes<Key> - count;
    right -= count;
  }
};

template <class Key>
rank_t<Key> bits_of(Key key) {
  return std::bit_cast<rank_t<Key>>(key);
}

inline constexpr int step = 4;  // registers read at once

/// Moves ranks up to the pivot's to the front, and returns their end. `step` registers from either
/// end are kept: there is room on both sides for what is read. Precondition: there are so many
/// keys.
template <class Key>
Key* partition(Key* first, Key* last, rank_t<Key> pivot) {
  constexpr int L = lanes<Key>;
  while ((last - first) % L != 0) {
    const Key p = *first;
    const Key q = last[-1];
    const bool stays = bits_of(p) <= pivot;
    *first = stays ? p : q;
    last[-1] = stays ? q : p;
    first += stays ? 1 : 0;
    last -= stays ? 0 : 1;
  }
  vector_t<Key> kept[2 * step];
  for (int k = 0; k < step; ++k) {
    kept[k] = load(first + k * L);
    kept[step + k] = load(last - (k + 1) * L);
  }
  sides<Key> to{first, last, vector_t<Key>{} + pivot};
  first += step * L;
  last -= step * L;
  const auto next = [&](int count) {
    const bool from_left = first - to.left <= to.right - last;
    const Key* const from = from_left ? first : last - count * L;
    first += from_left ? count * L : 0;
    last -= from_left ? 0 : count * L;
    return from;
  };
  while (last - first >= step * L) {
    const Key* const from = next(step);
    vector_t<Key> v[step];
    for (int k = 0; k < step; ++k) v[k] = load(from + k * L);
    for (int k = 0; k < step; ++k) to.take(v[k]);
  }
  while (first < last) to.take(load(next(1)));
  for (const vector_t<Key>& v : kept) to.take(v);
  return to.left;
}

/// Quicksort by the median of four registers of keys. What repeats in them is taken out.
template <class Key>
void quick(Key* first, Key* last, int depth) {
  constexpr std::ptrdiff_t few = 2 * step * lanes<Key>;
  for (std::ptrdiff_t n; (n = last - first) > few;) {
    if (depth-- == 0)
      return std::sort(first, last, [](Key p, Key q) { return bits_of(p) < bits_of(q); });
    vector_t<Key> v[4];
    for (int k = 0; k < 4; ++k) v[k] = load(first + (2 * k + 1) * (n - lanes<Key>) / 8);
    sort_registers<Key, 4>(v);
    const rank_t<Key> pivot = v[2][0];
    const bool repeats = v[1][lanes<Key> - 1] == pivot || v[2][1] == pivot;
    Key* const middle = partition(first, last, pivot);
    Key* less = middle;
    if (repeats && middle - first >= few)
      less = pivot == std::numeric_limits<rank_t<Key>>::min() ? first
                                                              : partition(first, middle, pivot - 1);
    quick(first, less, depth);
    first = middle;
  }
  sort_few(first, last - first);
}

/// Gives keys the bits of their ranks, or ranks those of their keys.
template <class Key>
void exchange_ranks(Key* keys, std::ptrdiff_t n) {
  for (std::ptrdiff_t k = 0; k < n; ++k) keys[k] = std::bit_cast<Key>(rank_of(keys[k]));
}

template <class Key>
void sort(Key* keys, std::ptrdiff_t n) {
  exchange_ranks(keys, n);
  quick(keys, keys + n, 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(n))));
  exchange_ranks(keys, n);
}

}  // namespace sorting::vectors

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace sorting {

/// Whether the processor has what vectorised_sort() needs.
inline bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }

/// Precondition: has_avx2().
template <class Key>
void vectorised_sort(std::vector<Key>& v) {
  vectors::sort(v.data(), static_cast<std::ptrdiff_t>(v.size()));
}

}  // namespace sorting

#else

namespace sorting {

inline bool has_avx2() { return false; }

template <class Key>
void vectorised_sort(std::vector<Key>& v) {
  std::sort(v.begin(), v.end(), in_order{});
}

}  // namespace sorting

#endif
