// Numbers to compute with, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../spmv/random.hpp"

namespace examples {

using spmv::random_numbers;

/// `count` numbers in [0, 1).
[[nodiscard]] inline std::vector<double> some_numbers(std::size_t count, std::uint64_t seed = 1) {
  random_numbers random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.unit();
  return numbers;
}

}  // namespace examples
