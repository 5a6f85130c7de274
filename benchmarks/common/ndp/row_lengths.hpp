// Families of row lengths: what a nested computation's cost hangs on. All are the same on every
// machine and in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "exact_values.hpp"

namespace fettle_benchmarks {

using index = std::int32_t;
using lengths = std::vector<index>;

[[nodiscard]] inline lengths equal_rows(index rows, index length) {
  return lengths(static_cast<std::size_t>(rows), length);
}

/// Pareto's distribution with this exponent (> 1; near 1: very skewed) and about this mean, no row
/// longer than `longest`.
[[nodiscard]] inline lengths power_law_rows(index rows, double mean, double exponent,
                                            index longest) {
  lengths all(static_cast<std::size_t>(rows));
  const double least = mean * (exponent - 1) / exponent;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const double drawn = least * std::pow(1 - unit(r, 11), -1 / exponent);
    all[r] = static_cast<index>(std::min(drawn + unit(r, 12), static_cast<double>(longest)));
  }
  return all;
}

/// Short rows, and in their middle one that is as long as `giant`.
[[nodiscard]] inline lengths one_giant_row(index rows, index length, index giant) {
  lengths all = equal_rows(rows, length);
  all[all.size() / 2] = giant;
  return all;
}

/// A row is empty with probability `share`; the others have 1 to `longest` elements.
[[nodiscard]] inline lengths many_empty_rows(index rows, double share, index longest) {
  lengths all(static_cast<std::size_t>(rows), 0);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (unit(r, 13) >= share) all[r] = 1 + static_cast<index>(unit(r, 14) * longest);
  }
  return all;
}

/// Where each row begins, and where the last one ends.
[[nodiscard]] inline std::vector<index> offsets_of(const lengths& all) {
  std::vector<index> offsets(all.size() + 1, 0);
  std::inclusive_scan(all.begin(), all.end(), offsets.begin() + 1);
  return offsets;
}

[[nodiscard]] inline index longest_row(const std::vector<index>& offsets) {
  index longest = 0;
  for (std::size_t r = 1; r < offsets.size(); ++r) {
    longest = std::max(longest, offsets[r] - offsets[r - 1]);
  }
  return longest;
}

/// "25k", "4.5M", "16Mi": how sizes read in tables.
[[nodiscard]] inline std::string short_number(std::int64_t n) {
  if (n >= 1'000'000 && n % 100'000 == 0) {
    const auto tenths = n / 100'000 % 10;
    return std::to_string(n / 1'000'000) + (tenths > 0 ? "." + std::to_string(tenths) : "") + "M";
  }
  if (n >= 1000 && n % 1000 == 0) return std::to_string(n / 1000) + "k";
  if (n >= 1 << 20 && n % (1 << 20) == 0) return std::to_string(n >> 20) + "Mi";
  return n >= 1 << 10 && n % (1 << 10) == 0 ? std::to_string(n >> 10) + "Ki" : std::to_string(n);
}

}  // namespace fettle_benchmarks
