// Features that read a sample of the input: the larger it is, the more accurate they are and the
// more they cost.
#pragma once

#include "samples.hpp"

namespace histogram {

/// The standard deviation of at most `size` samples, evenly spread, as a part of their range.
/// O(size): a larger sample is more accurate and costs more.
inline double sampled_deviation(const samples& s, std::size_t size) {
  return std::visit(
      [&](const auto& values) {
        const std::size_t step = std::max<std::size_t>(1, values.size() / size);
        double sum = 0;
        double squares = 0;
        double taken = 0;
        for (std::size_t k = 0; k < values.size(); k += step, ++taken) {
          const double value = std::ldexp(static_cast<double>(values[k]), -int(s.bits));
          sum += value;
          squares += value * value;
        }
        if (taken == 0) return 0.0;
        return std::sqrt(std::max(0.0, squares / taken - sum / taken * (sum / taken)));
      },
      s.values);
}

/// The fraction of equal neighbours among at most `size` pairs, in pieces of 32 samples.
inline double sampled_repeats(const samples& s, std::size_t size) {
  return std::visit(
      [&](const auto& values) {
        constexpr std::size_t piece = 32;
        const std::size_t step = std::max(piece, values.size() / (size / piece));
        std::size_t pairs = 0;
        std::size_t equal = 0;
        for (std::size_t first = 0; first < values.size(); first += step)
          for (std::size_t k = first + 1; k < std::min(first + piece, values.size()); ++k, ++pairs)
            equal += values[k] == values[k - 1] ? 1 : 0;
        return pairs == 0 ? 1.0 : static_cast<double>(equal) / static_cast<double>(pairs);
      },
      s.values);
}

}  // namespace histogram
