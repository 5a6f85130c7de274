// The inputs of reduction and scan: "numbers:size=N,tile=T". Sums of these numbers are exact in any
// order (../../common/ndp/exact_values.hpp).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../../common/ndp/csr.hpp"
#include "bench.hpp"
#include "specification.hpp"

namespace ndp_tuned {

struct numbers_input {
  std::string name;
  ndp::index_t size;
  ndp::index_t tile_size;
  std::vector<double> numbers;

  [[nodiscard]] ndp::index_t tiles() const { return (size + tile_size - 1) / tile_size; }
  [[nodiscard]] fb::input as(const char* work, double bytes_an_element) const {
    return {work, name, "double", tiles(), size, static_cast<double>(size) * bytes_an_element};
  }
};

/// Where the text names no tile size, there are up to 1024 tiles of at least 1024 numbers.
[[nodiscard]] inline numbers_input make_numbers(const std::string& text) {
  specification given(text, "numbers");
  numbers_input made{text, given.number("size", 100'000, 1, 1'000'000'000), 0, {}};
  const ndp::index_t usual = std::max<ndp::index_t>(1024, (made.size + 1023) / 1024);
  made.tile_size = given.number("tile", usual, 1, 1'000'000'000);
  given.end();
  made.numbers = fb::small_integers<double>(static_cast<std::size_t>(made.size), fb::values_seed);
  return made;
}

}  // namespace ndp_tuned
