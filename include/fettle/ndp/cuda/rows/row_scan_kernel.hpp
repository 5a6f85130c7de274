// Which kernel an untuned map > scan gets: the default rule as a function of a few numbers. Needs
// no CUDA.
//
// A block a row is best where rows are long enough to keep its threads busy, or so few that all
// blocks run at once; a row that is far longer than the others would hold it up. Shorter rows get
// a few lanes each (adaptive_row_scans.cuh). Everything else is flattened: its three launches take
// 12.5 us, but never much more, whatever the rows' lengths are. Rows of which nothing is known are
// taken for balanced ones only where that takes far less.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/cuda/rows/row_kernel.hpp>
#include <fettle/ndp/cuda/rows/row_rule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

enum class row_scan_kernel : std::uint8_t {
  lane,       // by one lane a row, longer ones by a block: adaptive_row_scans.cuh
  lanes_8,    // ... by 8
  lanes_32,   // ... by 32
  block,      // independent>cooperative, resource=block, of 128 threads
  flattened,  // flattened
};

/// Threads of a block that scans rows.
inline constexpr int row_scan_threads = 128;

/// Elements of a row that so many lanes scan; a longer one is the whole block's.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int longest_by_lanes(int lanes) noexcept {
  return 32 * lanes;
}

/// The figures of the rule's estimates, in us, measured on an H200 and an H100.
struct row_scan_rule {
  index_t little_work = 65536;  // atoms that are done by rows, whatever their skew
  double one_lane_below = 4;    // mean length
  double few_lanes_below = 20;  // as well
  double launch = 3.8;
  double lane = 1.1e-5;        // of a row: 5.3M rows of 1.5 a thread each take 55 us
  double warp_lane = 0.75e-5;  // of those by whole warps: 223 thousand of 48 take 54 us
  double block_tile = 0.5;     // a block's 1024 elements, at most: a tile takes 0.2 to 0.5 us
  double block_bytes = 3.2e6;  // read and written in a us: 15M doubles take 75 us
  double flattened_launch = 12.5;
  double flattened_atom = 8.5e-6;  // 10.7M in 10 thousand rows take 90 us,
  double flattened_row = 2e-5;     // in 5.3M rows 189
  double longest_unknown = 2.0;    // means
  double balanced_gain = 1.4;      // from which rows of unknown lengths are taken for balanced
};

/// What a kernel does, in words.
[[nodiscard]] constexpr std::string_view name_of(row_scan_kernel kernel) noexcept {
  constexpr std::string_view names[] = {"1 lane a row, or a block", "8 lanes a row, or a block",
                                        "32 lanes a row, or a block", "a block a row", "flattened"};
  return names[static_cast<std::size_t>(kernel)];
}

/// The kernel for such rows; report(kernel, microseconds) is called for each estimate that is made.
template <typename Report = no_report>
[[nodiscard]] constexpr row_scan_kernel choose_row_scan_kernel(const row_problem& p,
                                                               const row_scan_rule& rule = {},
                                                               const Report& report = {}) {
  // Of so few rows all blocks run at once, and none takes longer than a warp would.
  const bool few = p.rows <= row_rule{}.blocks_at_once;
  const bool by_blocks = few || p.mean() >= row_rule{}.row_of_block;
  const bool is_unknown = p.known.longest < 0;
  const auto atoms = static_cast<double>(p.atoms);
  const auto rows = static_cast<double>(p.rows);
  const double longest =
      is_unknown ? rule.longest_unknown * p.mean() : static_cast<double>(p.known.longest);
  const double flattened =
      rule.flattened_launch + rule.flattened_atom * atoms + rule.flattened_row * rows;
  report(row_scan_kernel::flattened, flattened);

  row_scan_kernel by_rows = row_scan_kernel::block;
  double us = rule.launch;
  if (by_blocks) {
    us +=
        std::max(rule.block_tile * longest / 1024, 2.0 * atoms * p.value_bytes / rule.block_bytes);
  } else {
    const double mean = p.mean();
    const int lanes = mean < rule.one_lane_below ? 1 : mean < rule.few_lanes_below ? 8 : 32;
    by_rows = lanes == 1   ? row_scan_kernel::lane
              : lanes == 8 ? row_scan_kernel::lanes_8
                           : row_scan_kernel::lanes_32;
    us += (lanes == 32 ? rule.warp_lane : rule.lane) * rows * lanes;
    if (longest > longest_by_lanes(lanes)) us += rule.block_tile * longest / 1024;
  }
  report(by_rows, us);
  if (is_unknown && p.atoms <= rule.little_work) return by_rows;
  const double gain = is_unknown ? rule.balanced_gain : 1.0;
  return gain * us <= flattened ? by_rows : row_scan_kernel::flattened;
}

}  // namespace fettle::ndp::cuda::detail
