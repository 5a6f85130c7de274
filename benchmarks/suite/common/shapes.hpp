// The shapes of inputs, by name: six of rows, three sizes of flat inputs, three of matrices. Each
// has about as many elements as fit into a budget of bytes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../common/ndp/row_lengths.hpp"
#include "view.hpp"

namespace suite {

namespace fb = fettle_benchmarks;

enum class family { rows, sizes, matrices };

[[nodiscard]] inline std::vector<std::string> shapes_of(family of) {
  switch (of) {
    case family::rows:
      return {"short", "medium", "long", "skewed", "giant", "tiny"};
    case family::sizes:
      return {"small", "middle", "large"};
    case family::matrices:
      return {"square", "wide", "tall"};
  }
  throw std::logic_error("shapes_of: no such family");
}

/// A shape whose cost follows from the amount of data alone: where the suite asks for speed beside
/// a plain loop, and for half of the copy's bandwidth where it is large.
[[nodiscard]] inline bool is_balanced(const std::string& name) {
  return name != "skewed" && name != "giant" && name != "tiny";
}
[[nodiscard]] inline bool is_bandwidth_bound(const std::string& name) {
  return name == "long" || name == "large" || name == "square";
}

struct extents {
  index rows;
  index columns;
};

struct shape {
  std::string name;
  double bytes;  // of all inputs and outputs, about

  /// How many elements of so many bytes each the budget has.
  [[nodiscard]] index elements(double bytes_an_element) const {
    const double part = name == "small" ? 1.0 / 256 : name == "middle" ? 1.0 / 16 : 1.0;
    return static_cast<index>(std::clamp(bytes * part / bytes_an_element, 64.0, 32e6));
  }

  /// Where rows begin and the last one ends, of a family of rows.
  [[nodiscard]] std::vector<index> offsets(double bytes_an_element) const {
    return fb::offsets_of(lengths(elements(bytes_an_element)));
  }

  /// Rows and columns, of a family of matrices.
  [[nodiscard]] extents matrix(double bytes_an_element) const {
    const index n = elements(bytes_an_element);
    if (name == "wide") return {16, n / 16};
    if (name == "tall") return {n / 3, 3};
    const auto side = static_cast<index>(std::sqrt(n));
    return {side, side};
  }

 private:
  [[nodiscard]] fb::lengths lengths(index n) const {
    if (name == "short") return around(n, 9);
    if (name == "medium") return around(n, 48);
    if (name == "long") return around(n, 1000);
    if (name == "giant") return fb::equal_rows(24, n / 24 + 1);
    if (name == "skewed") {
      return fb::power_law_rows(n / 16 + 1, 16, 1.4, std::max<index>(n / 32, 8));
    }
    if (name != "tiny") throw std::logic_error("shape " + name + " is not one of rows");
    fb::lengths all(static_cast<std::size_t>(n / 3 * 2 + 1));
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = static_cast<index>(fb::hash(r, 21) % 4);
    return all;
  }

  /// Lengths within a third of the mean.
  [[nodiscard]] static fb::lengths around(index n, index mean) {
    fb::lengths all(static_cast<std::size_t>(n / mean + 1));
    const auto range = static_cast<std::uint64_t>(2 * (mean / 3) + 1);
    for (std::size_t r = 0; r < all.size(); ++r) {
      all[r] = mean - mean / 3 + static_cast<index>(fb::hash(r, 22) % range);
    }
    return all;
  }
};

}  // namespace suite
