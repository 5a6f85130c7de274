// Random numbers that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>

namespace spmv {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): small, fast, any seed will do.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In [0, 1).
  double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [0, bound); the bias of the plain product is below bound / 2^32. Precondition: bound > 0.
  std::int64_t below(std::int64_t bound) noexcept {
    return static_cast<std::int64_t>(unit() * static_cast<double>(bound));
  }

 private:
  std::uint64_t state_;
};

}  // namespace spmv
