// Two ways to sort besides the library's, and a feature that tells them apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using numbers = std::vector<std::uint32_t>;

/// O(n + inversions): unbeatable where almost everything is in place.
inline void insertion_sort(numbers& v) {
  for (std::size_t i = 1; i < v.size(); ++i) {
    const std::uint32_t x = v[i];
    std::size_t hole = i;
    for (; hole > 0 && v[hole - 1] > x; --hole) v[hole] = v[hole - 1];
    v[hole] = x;
  }
}

/// O(n) for numbers of 32 bits: four stable passes by a byte each.
inline void radix_sort(numbers& v) {
  numbers sorted(v.size());
  for (unsigned shift = 0; shift < 32; shift += 8) {
    std::array<std::size_t, 257> begin{};
    for (const std::uint32_t x : v) ++begin[((x >> shift) & 0xFFU) + 1];
    for (std::size_t digit = 1; digit < begin.size(); ++digit) begin[digit] += begin[digit - 1];
    for (const std::uint32_t x : v) sorted[begin[(x >> shift) & 0xFFU]++] = x;
    std::swap(v, sorted);
  }
}

/// The fraction of ascents among (at most) 64 pairs of neighbours, evenly spread: 1 where sorted,
/// about a half where random.
inline double sampled_ascents(const numbers& v) {
  if (v.size() < 2) return 1.0;
  const std::size_t step = 1 + v.size() / 64;
  std::size_t pairs = 0;
  std::size_t ascents = 0;
  for (std::size_t i = 0; i + 1 < v.size(); i += step, ++pairs) ascents += v[i] <= v[i + 1] ? 1 : 0;
  return static_cast<double>(ascents) / static_cast<double>(pairs);
}
