// problem: the inputs of a computation, how many steps its plain loop has, and how many outputs;
// and what makes inputs, the same on every machine and in every run.
//
// Inputs are vectors, which a computation sees as view<const T>, and numbers, which it sees as they
// are. The bytes that any implementation moves are those of all inputs and of the output, once.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shapes.hpp"

namespace suite {

template <typename... Inputs>
struct problem {
  index steps;
  index outputs;
  std::tuple<Inputs...> inputs;

  problem(index steps_, index outputs_, const Inputs&... all)
      : steps(steps_), outputs(outputs_), inputs(all...) {}
};

template <typename T>
[[nodiscard]] index size_of(const std::vector<T>& all) {
  return static_cast<index>(all.size());
}

/// `count` elements, make(i) each.
template <typename Make>
[[nodiscard]] auto filled(index count, Make make) {
  std::vector<std::decay_t<decltype(make(std::uint64_t{}))>> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = make(static_cast<std::uint64_t>(i));
  return all;
}

/// `count` numbers in [least, greatest).
template <typename T>
[[nodiscard]] std::vector<T> reals(index count, std::uint64_t seed, double least = 0,
                                   double greatest = 1) {
  return filled(count, [=](std::uint64_t i) {
    return static_cast<T>(least + (greatest - least) * fb::unit(i, seed));
  });
}

/// `count` whole numbers in [0, bound).
template <typename T>
[[nodiscard]] std::vector<T> integers(index count, std::uint64_t seed, double bound) {
  return filled(count, [=](std::uint64_t i) { return static_cast<T>(bound * fb::unit(i, seed)); });
}

/// The number of rows that offsets delimit.
[[nodiscard]] inline index rows_of(const std::vector<index>& offsets) {
  return size_of(offsets) - 1;
}

/// The row of each element.
[[nodiscard]] inline std::vector<index> row_indices(const std::vector<index>& offsets) {
  std::vector<index> rows(static_cast<std::size_t>(offsets.back()));
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      rows[static_cast<std::size_t>(k)] = static_cast<index>(r);
    }
  }
  return rows;
}

/// 0 .. count - 1 in a random order.
[[nodiscard]] inline std::vector<index> permutation(index count, std::uint64_t seed) {
  auto all = filled(count, [](std::uint64_t i) { return static_cast<index>(i); });
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[fb::hash(i, seed) % i]);
  return all;
}

}  // namespace suite
