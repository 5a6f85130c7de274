// memory_plan: where the intermediate results of a program lie in one allocation. Results whose
// lives do not overlap share memory.
#pragma once

#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// A result that is written by step `first` and read last by step `last`.
struct lifetime {
  std::size_t bytes = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t offset = 0;
};

inline constexpr std::size_t result_alignment = 256;

/// Where a result lies in the allocation.
struct result_range {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// Gives each its offset: the lowest at which nothing lies that lives at the same time, the largest
/// results first. Returns the size of the whole.
[[nodiscard]] std::size_t place_lifetimes(std::vector<lifetime>& all);

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

using fettle::detail::result_alignment;
using fettle::detail::result_range;

}  // namespace fettle::ndp::detail

#ifndef FETTLE_COMPILED
#include <fettle/ndp/program/memory_plan.ipp>
#endif
