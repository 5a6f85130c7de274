// Which kernel an untuned map > scan gets: the default rule as a function of a few numbers. Needs
// no CUDA.
//
// A block a row is best where rows are long enough to keep its threads busy, or so few that all
// blocks run at once; a row that is far longer than the others would hold it up. Short rows get a
// warp each where there is little work. Everything else is flattened: its three launches take
// 12.5 us, but never much more, whatever the rows' lengths are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/rows/row_kernel.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

enum class row_scan_kernel : std::uint8_t {
  warp,      // independent>cooperative, resource=warp
  block,     // independent>cooperative, resource=block, of 128 threads
  flattened  // flattened
};

/// The figures of the rule's estimates, in us, measured on an H200.
struct row_scan_rule {
  index_t little_work = 65536;  // atoms that are done by rows, whatever their skew
  double launch = 3.8;
  double warp_round = 0.28;    // a warp's 32 elements: a row of 1024 takes 9 us more than one of 32
  double block_tile = 0.5;     // a block's 1024 elements, at most: a tile takes 0.2 to 0.5 us
  double block_bytes = 3.2e6;  // read and written in a us: 15M doubles take 75 us
  double flattened_launch = 12.5;
  double flattened_bytes = 1.6e6;  // 15M doubles take 152 us
};

/// What a kernel does, in words.
[[nodiscard]] constexpr std::string_view name_of(row_scan_kernel kernel) noexcept {
  constexpr std::string_view names[] = {"a warp a row", "a block a row", "flattened"};
  return names[static_cast<std::size_t>(kernel)];
}

/// The kernel for such rows; report(kernel, microseconds) is called for each estimate that is made.
template <typename Report = no_report>
[[nodiscard]] constexpr row_scan_kernel choose_row_scan_kernel(const row_problem& p,
                                                               const row_scan_rule& rule = {},
                                                               const Report& report = {}) {
  // Of so few rows all blocks run at once, and none takes longer than a warp would.
  const bool few = p.rows <= row_rule{}.blocks_at_once;
  const bool little = p.atoms <= rule.little_work;
  if (p.known.longest < 0) {
    if (!little) return row_scan_kernel::flattened;
    return few ? row_scan_kernel::block : row_scan_kernel::warp;
  }
  const auto longest = static_cast<double>(p.known.longest);
  const double bytes = 2.0 * static_cast<double>(p.atoms) * p.value_bytes;
  const double flattened = rule.flattened_launch + bytes / rule.flattened_bytes;
  if (few || p.mean() >= row_rule{}.row_of_block) {
    const double by_blocks =
        rule.launch + std::max(rule.block_tile * longest / 1024, bytes / rule.block_bytes);
    report(row_scan_kernel::flattened, flattened);
    report(row_scan_kernel::block, by_blocks);
    return by_blocks <= flattened ? row_scan_kernel::block : row_scan_kernel::flattened;
  }
  const double by_warps = rule.launch + rule.warp_round * longest / 32;
  report(row_scan_kernel::flattened, flattened);
  report(row_scan_kernel::warp, by_warps);
  return little && by_warps <= flattened ? row_scan_kernel::warp : row_scan_kernel::flattened;
}

}  // namespace fettle::ndp::cuda::detail
