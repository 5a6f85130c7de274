// Numbers and lengths of runs of them, for loops that fold runs in parts.
#pragma once

#include <cstdint>
#include <vector>

#include <fettle/ndp/base/index.hpp>

namespace ndp_test {

/// `count` values, always the same.
template <typename T>
[[nodiscard]] std::vector<T> wrapped_numbers(fettle::ndp::index_t count) {
  std::vector<T> all;
  std::uint32_t x = 1;
  for (fettle::ndp::index_t i = 0; i < count; ++i) {
    all.push_back(static_cast<T>(x = x * 1664525U + 1013904223U));
  }
  return all;
}

/// 0 to 3, and powers of two up to `most`, one less and one more.
[[nodiscard]] inline std::vector<fettle::ndp::index_t> lengths_to(fettle::ndp::index_t most) {
  std::vector<fettle::ndp::index_t> all{0, 1, 2, 3};
  for (fettle::ndp::index_t power = 4; power <= most; power *= 2) {
    for (fettle::ndp::index_t k = -1; k <= 1; ++k) all.push_back(power + k);
  }
  return all;
}

}  // namespace ndp_test
