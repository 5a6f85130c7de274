// The correctness gate of training: a variant whose output is not the default variant's is named
// and excluded. Here are the comparisons that set_verify takes.
#pragma once

#include <cmath>
#include <concepts>
#include <iterator>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

// Not std::range: <ranges> alone costs a third of a second of compile time.
template <typename T>
concept iterable = requires(const T& all) {
  std::begin(all) != std::end(all);
  *std::begin(all);
};

}  // namespace detail

/// Compares two numbers, or two ranges of numbers element by element (and their sizes). Equal means
/// |a - b| <= absolute + relative * max(|a|, |b|); NaN equals NaN, so that a variant need not
/// invent a value where the default has none.
struct within {
  double relative = 1e-9;
  double absolute = 0.0;

  template <typename A, typename B>
    requires std::convertible_to<A, double> && std::convertible_to<B, double>
  bool operator()(const A& a, const B& b) const {
    return close(static_cast<double>(a), static_cast<double>(b));
  }

  template <detail::iterable A, detail::iterable B>
  bool operator()(const A& a, const B& b) const {
    auto x = std::begin(a);
    auto y = std::begin(b);
    for (; x != std::end(a) && y != std::end(b); ++x, ++y) {
      if (!(*this)(*x, *y)) return false;
    }
    return x == std::end(a) && y == std::end(b);
  }

 private:
  bool close(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::fabs(a - b) <= absolute + relative * std::fmax(std::fabs(a), std::fabs(b));
  }
};

}  // namespace fettle
