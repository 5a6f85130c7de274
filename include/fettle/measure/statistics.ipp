// Definitions of statistics.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/measure/statistics.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE double median(std::span<const double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

}  // namespace fettle

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE double pairs_in_order(std::span<const double> a,
                                                  std::span<const double> b) {
  double pairs = 0.0;
  for (const double x : a) {
    for (const double y : b) pairs += x < y ? 1.0 : (x == y ? 0.5 : 0.0);
  }
  return pairs;
}

[[gnu::cold]] FETTLE_INLINE double exact_upper_tail(std::size_t n, std::size_t m, double u) {
  std::vector<double> ways(n * m + 1, 0.0);
  ways[0] = 1.0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t k = ways.size(); k-- > i + m;) ways[k] -= ways[k - i - m];
    for (std::size_t k = i; k < ways.size(); ++k) ways[k] += ways[k - i];
  }
  double total = 0.0;
  double tail = 0.0;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    total += ways[k];
    if (static_cast<double>(k) >= u) tail += ways[k];
  }
  return tail / total;
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE double confidence_smaller(std::span<const double> smaller,
                                                      std::span<const double> larger) {
  if (smaller.empty() || larger.empty()) return 0.5;
  const std::size_t n = smaller.size();
  const std::size_t m = larger.size();
  const double u = detail::pairs_in_order(smaller, larger);
  const double mean = 0.5 * static_cast<double>(n * m);
  if (u <= mean) return 0.5;
  if (n <= 8 && m <= 8) return 1.0 - detail::exact_upper_tail(n, m, std::ceil(u));
  const double deviation = std::sqrt(static_cast<double>(n * m * (n + m + 1)) / 12.0);
  return 0.5 * std::erfc(-(u - 0.5 - mean) / (deviation * std::sqrt(2.0)));
}

}  // namespace fettle
