// Inputs whose sums are exact: small whole numbers of either sign, so that a sum of up to a hundred
// million of them, in any order and in float too, rounds nowhere and every implementation has to
// give the very bits of the serial reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fettle_benchmarks {

/// A number that depends on `index` and `seed` alone (SplitMix64's finaliser).
[[nodiscard]] constexpr std::uint64_t hash(std::uint64_t index, std::uint64_t seed) noexcept {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1b54a32d192ed03u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// In [0, 1).
[[nodiscard]] constexpr double unit(std::uint64_t index, std::uint64_t seed) noexcept {
  return static_cast<double>(hash(index, seed) >> 11) * 0x1p-53;
}

/// The element at `index`: a whole number in [-8, 8].
[[nodiscard]] constexpr int small_integer(std::uint64_t index, std::uint64_t seed) noexcept {
  return static_cast<int>((hash(index, seed) >> 32) * 17 >> 32) - 8;
}

/// `count` elements of type T.
template <typename T>
[[nodiscard]] std::vector<T> small_integers(std::size_t count, std::uint64_t seed) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(small_integer(i, seed));
  return all;
}

}  // namespace fettle_benchmarks
