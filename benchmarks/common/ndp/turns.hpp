// turn_of: the order of measurements, in which no contender always follows the same one.
//
// What ran before leaves its data in the caches, its code and branches in the processor, its dirty
// lines to be written back. Where contenders take turns in one circle, each is measured in what one
// and the same other has left. In a Latin square balanced for carry-over (E. J. Williams,
// "Experimental designs balanced for the estimation of residual effects of treatments", 1949)
// each follows each other one equally often, and each takes each turn of a round equally often.
#pragma once

#include <cstddef>

namespace fettle_benchmarks {

/// After so many rounds of `count` contenders, each has followed each other one equally often.
[[nodiscard]] constexpr std::size_t balanced_rounds(std::size_t count) noexcept {
  return count % 2 == 0 ? count : 2 * count;
}

/// Which of `count` contenders has turn `turn` of round `round`: row 0 is 0, 1, n-1, 2, n-2, ...,
/// each further row adds one; of an odd number of contenders the second n rows run backwards.
/// Precondition: turn < count.
[[nodiscard]] constexpr std::size_t turn_of(std::size_t count, std::size_t round,
                                            std::size_t turn) noexcept {
  const bool backwards = count % 2 == 1 && round % (2 * count) >= count;
  const std::size_t column = backwards ? count - 1 - turn : turn;
  const std::size_t first_row = column % 2 == 1 ? (column + 1) / 2 : (count - column / 2) % count;
  return (first_row + round) % count;
}

}  // namespace fettle_benchmarks
