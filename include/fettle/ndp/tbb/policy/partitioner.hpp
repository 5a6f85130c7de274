// partitioner_type: how a parallel loop becomes tasks: oneTBB's partitioners. Needs no oneTBB.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb {

/// How a range is split into tasks: oneTBB's partitioners. `automatic`: a task for each thread.
enum class partitioner_type : std::uint8_t { automatic, auto_, simple, static_ };

[[nodiscard]] constexpr auto names_of(partitioner_type /*any*/) noexcept {
  return std::array<std::string_view, 4>{"automatic", "auto", "simple", "static"};
}

namespace detail {

/// Whether threads take the next task when they have finished one, rather than equal parts.
[[nodiscard]] constexpr bool balances_load(partitioner_type split) noexcept {
  return split == partitioner_type::auto_ || split == partitioner_type::simple;
}

/// The grain where the policy gives none. The simple partitioner splits down to it, so that it must
/// not be 1; the others stop by themselves.
[[nodiscard]] constexpr index_t default_grain(partitioner_type split, index_t count,
                                              int tasks) noexcept {
  if (split != partitioner_type::simple) return 1;
  return std::max<index_t>(count / (index_t{16} * tasks), 1);
}

}  // namespace detail

}  // namespace fettle::ndp::tbb
