// Row lengths that kernels for nested sequences have to stand, as offsets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ndp/support/sizes.hpp"

struct row_pattern {
  std::string name;
  std::vector<std::int64_t> offsets;
};

/// Row counts and lengths of every kind; some start behind the first element of what they nest.
inline std::vector<row_pattern> row_patterns(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<row_pattern> out;
  const auto add = [&](std::string name, std::int64_t rows, const auto& length,
                       std::int64_t first = 0) {
    row_pattern pattern{std::move(name), {first}};
    for (std::int64_t i = 0; i < rows; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + static_cast<std::int64_t>(length(i)));
    }
    out.push_back(std::move(pattern));
  };
  const auto uniform = [&](int most) {
    return
        [&random, most](std::int64_t) { return std::uniform_int_distribution<>(0, most)(random); };
  };
  const auto power_law = [&](std::int64_t) {
    const double u = std::uniform_real_distribution<>(0.0, 1.0)(random);
    return std::min(5000.0, std::pow(1.0 - u, -1.0 / 1.1) - 1.0);
  };
  add("no row", 0, uniform(0));
  add("one empty row", 1, uniform(0));
  add("one element", 1, [](std::int64_t) { return 1; });
  add("empty rows only", 700, uniform(0));
  add("rows of one", 1500, [](std::int64_t) { return 1; });
  add("rows of three", 1000, [](std::int64_t) { return 3; });
  add("rows of 32", 200, [](std::int64_t) { return 32; });
  add("up to seven", 1200, uniform(7));
  add("up to seven, behind others", 900, uniform(7), 13);
  add("one giant row", 1, [](std::int64_t) { return 20000; });
  add("giant row between empty ones", 601, [](std::int64_t i) { return i == 300 ? 15000 : 0; });
  add("giant rows at both ends", 400,
      [](std::int64_t i) { return i == 0 || i == 399 ? 9000 : i % 3; });
  add("long rows", 9, uniform(4000));
  add("mostly empty", 2500, [&](std::int64_t) { return random() % 10 == 0 ? 11 : 0; });
  add("power law", 1500, power_law);
  add("power law, behind others", 800, power_law, 5);
  add("one share exactly", 352, [](std::int64_t) { return 7; });  // 352 * 8 = 256 * 11 steps
  if (ndp_test::small_sizes()) {
    std::erase_if(out, [](const row_pattern& pattern) {
      return pattern.name != "no row" && pattern.name != "empty rows only" &&
             pattern.name != "up to seven, behind others" &&
             pattern.name != "giant row between empty ones" && pattern.name != "power law" &&
             pattern.name != "one share exactly";
    });
  }
  return out;
}
