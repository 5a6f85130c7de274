// Which kernel an untuned map > reduce gets: the default rule as a function of a few numbers. Needs
// no CUDA.
//
// Of rows whose longest is known (the program says so, or had inspect_rows() look), the rule gives
// each row the number of lanes that row_cost.hpp estimates to take least for their mean length,
// unless the longest row would hold it up: then more lanes a row, or adaptive, or flattened,
// whichever a rough estimate of the times says. Of rows of which nothing is known the host sees
// only how many there are and how many atoms: the offsets lie in the GPU's memory. Then a handful
// of long rows is cut for several blocks each; little work is done by one kernel that looks at the
// lengths (adaptive_rows.cuh); more gets the lanes that suit the mean length, and what turns out to
// be far longer has a second kernel, unless flattened tiles, whose time is bounded whatever the
// rows' lengths are, are estimated to take less. Rows of many bytes or wide results get a block
// each, where they are enough to keep the GPU busy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/row_cost.hpp>
#include <fettle/ndp/cuda/rows/row_kernel.hpp>
#include <fettle/ndp/cuda/runtime/device_rates.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The bounds of the rule and the figures of its estimates, in us, measured on an H200.
struct row_rule {
  index_t little_work = 2000 * 1000;  // rows and atoms that are done by rows, whatever their skew
  index_t handful = 16;               // rows of which each can be cut for all multiprocessors
  index_t long_row = 16384;           // atoms
  double bytes_on_the_way = 2.6e6;    // that keep the memory busy: 3.3 TB/s for 0.8 us, an estimate
  double loads_of_lane = 4;           // that overlap where partial results are structures
  index_t small_path = 1000 * 1000;   // rows and atoms
  index_t warps_at_once = 12288;      // rows up to which a whole warp each is not too many
  index_t blocks_at_once = 528;       // four for each of the 132 multiprocessors of an H200
  double row_of_block = 512;          // mean length from which a block may have a row,
  double bytes_of_block = 6000;       // if its elements have so many bytes: it has more loads on
  int words_of_block = 9;             // the way, or its results so many words: it has more room
  int narrow_element = 8;             // bytes
  double launch = 4.5;
  double round = 0.7;             // of loads that a lane waits for; it has four in flight
  double bytes_a_us = 1.6e6;      // of atoms with their indices, and of rows
  double flattened_one = 11.0;    // in one launch: blocks search, and one of them combines
  double flattened_launch = 8.0;  // of two kernels
  double flattened_factor = 1.2;  // how much longer its blocks take for the same bytes
  double adaptive_launch = 6.0;
  double adaptive_factor = 1.2;
  double adaptive_left = 3.0;    // for rows that are left to more lanes
  double adaptive_pieces = 8.0;  // for a row that is cut
  double mostly_empty = 0.5;     // mean length below which rows that are not empty may be few
  double balanced_gain = 0.95;   // from which rows of unknown lengths are taken for balanced
  int wide_element = 32;         // bytes
  double wide_row = 4;           // mean length from which tiles have rows of wide elements
  int words_in_tiles = 8;        // of a partial result, at most
  int wide_words = 3;            // of a partial result, from which they always are
  // Of rows whose lengths and place are unknown:
  index_t cut_if_unknown = 264;       // so many are cut for all multiprocessors,
  index_t warps_if_unknown = 8192;    // get a warp each, of those that are not read in the order of
  index_t warps_if_unordered = 2048;  // memory fewer, more 8 lanes, and a thread each from so many
  index_t threads_if_unknown = 512;   // of a multiprocessor on
};

struct row_mapping {
  row_kernel kernel;
  int lanes;
  double us_a_row;  // where a row has nothing to do
};

inline constexpr row_mapping row_mappings[] = {
    {row_kernel::thread, 1, 0.0},           {row_kernel::warp_of_2, 2, 2e-5},
    {row_kernel::warp_of_4, 4, 4e-5},       {row_kernel::warp_of_8, 8, 7e-5},
    {row_kernel::warp_of_16, 16, 1.1e-4},   {row_kernel::warp_of_32, 32, 3e-4},
    {row_kernel::block, block_lanes, 2e-3},
};

/// The index in row_mappings that suits rows of one length.
[[nodiscard]] inline int mapping_for(const row_problem& p, const device_rates& device) noexcept {
  const double mean = p.mean();
  // What costly elements take, no estimate knows. Rows of 64 pair energies take 1.2 to 2.4 times as
  // long by 16 lanes a row as by 32, which wait less for each other.
  if (p.costly) return mean <= 4 ? 0 : mean <= 12 ? 1 : mean <= 24 ? 2 : mean <= 700 ? 5 : 6;
  // Lanes take longer to combine wide values than a thread takes for its row: the nearest of ten
  // points takes it 0.5 to 0.7 of what two lanes take.
  if (p.value_bytes > 8 && p.has_equal_rows() && mean <= 12) return 0;
  const int lanes = best_lanes(p.as_work(), device).lanes;
  int i = 0;
  while (row_mappings[i].lanes < lanes) ++i;
  return i;
}

/// Microseconds by adaptive_rows.cuh: its lanes suit the mean length, and longer rows come later.
[[nodiscard]] inline double adaptive_us(const row_problem& p, const row_rule& rule,
                                        const device_rates& device, double stream,
                                        double longest) noexcept {
  const double us = rule.adaptive_launch + rule.adaptive_factor * stream;
  if (longest > adaptive_rows_plan::very_long && p.atoms > adaptive_rows_plan::least_work) {
    return us + rule.adaptive_left + rule.adaptive_pieces;
  }
  if (longest <= static_cast<double>(adaptive_rows_plan::of(p.as_work(), device).longest)) {
    return us;
  }
  const int lanes = longest > adaptive_rows_plan::of_warp ? adaptive_rows_plan::threads : 32;
  return us + rule.adaptive_left + 2 * rule.round * longest / (4 * lanes);
}

/// The kernel for such rows; report(kernel, microseconds) is called for each estimate that is made.
template <typename Report = no_report>
[[nodiscard]] row_kernel choose_row_kernel(const row_problem& p, const row_rule& rule = {},
                                           const device_rates& device = {},
                                           const Report& report = {}) {
  const auto rows = static_cast<double>(p.rows);
  const auto atoms = static_cast<double>(p.atoms);
  const double mean = p.mean();
  // In order, warps combine values again and again (fold_rounds.hpp): not wide ones.
  const bool may_split = p.commutative || p.work.partial_words <= rule.words_in_tiles;
  if (mean >= static_cast<double>(rule.long_row) && may_split) {
    // Of structures, such as a value with its index, a block for each row has too few loads on the
    // way where rows are few.
    const double on_the_way = rows * block_lanes * rule.loads_of_lane * p.work.element_bytes;
    const bool waits =
        p.work.partial_words >= rule.wide_words && on_the_way < rule.bytes_on_the_way;
    if (p.rows <= rule.handful || waits) return row_kernel::split;
  }
  // Products of 920 thousand 4 x 4 blocks with vectors took one launch 37.6 us, and two 32.2.
  const index_t small_path =
      std::min(rule.small_path, most_steps_combined_here(static_cast<std::size_t>(p.value_bytes)));
  const row_kernel flattened =
      p.rows + p.atoms <= small_path ? row_kernel::flattened_small : row_kernel::flattened_large;
  if (p.known.longest < 0) {
    if (p.atoms <= adaptive_rows_plan::least_work) return row_kernel::adaptive;
    const row_work work = p.as_work();
    const double by_tiles = flattened_us(work, device);
    report(flattened, by_tiles);
    if (mean >= rule.row_of_block && p.rows > rule.handful) {
      // A block takes longer than a warp to combine structures, and gathers are on the way anyway.
      const bool gathers_for_structure = work.has_gather && work.partial_words >= rule.wide_words;
      // Nor is room worth four warps' combining where elements are narrow: a warp reads them by
      // packets, and combines once.
      const bool suits_warp = work.partial_words >= rule.words_of_block &&
                              work.element_bytes <= rule.narrow_element &&
                              mean <= static_cast<double>(adaptive_rows_plan::very_long_of_warp);
      const bool has_bytes =
          mean * work.element_bytes >= rule.bytes_of_block && !gathers_for_structure;
      const bool suits_block =
          (!suits_warp && (has_bytes || work.partial_words >= rule.words_of_block)) ||
          p.rows < 8 * rule.blocks_at_once;
      if (!suits_block) return row_kernel::adaptive;
      // Few blocks leave most of the GPU idle.
      const double by_blocks = rule.launch + std::max(atoms * work.atom_bytes / device.bytes,
                                                      rule.round * mean / (4 * block_lanes));
      report(row_kernel::block, by_blocks);
      // Tiles have little room for wide results, but such rows can be cut in pieces.
      if (mean >= static_cast<double>(adaptive_rows_plan::very_long) &&
          work.partial_words >= rule.words_of_block) {
        const double by_pieces = rule.adaptive_launch + rule.adaptive_left + rule.adaptive_pieces +
                                 rule.adaptive_factor * atoms * work.atom_bytes / device.bytes;
        report(row_kernel::adaptive, by_pieces);
        if (by_pieces < by_blocks) return row_kernel::adaptive;
      }
      return by_blocks <= by_tiles ? row_kernel::block : flattened;
    }
    // A lane that reads wide elements one after the other uses a part of each sector. Tiles of
    // results as wide have no room in shared memory: chains of 4 x 4 matrices took them four times
    // as long as lanes. Tiles of rows of two or three such elements took 64 us, a thread a row 40.
    if (work.element_bytes > rule.wide_element && work.partial_words <= rule.words_in_tiles &&
        mean >= rule.wide_row) {
      return flattened;
    }
    if (p.rows + p.atoms <= rule.little_work) return row_kernel::adaptive;
    // Tiles of wide results always lose: combining them takes more than their loads.
    const double by_rows = rule.adaptive_left + best_lanes(work, device).us;
    report(row_kernel::adaptive, by_rows);
    const bool gains =
        work.partial_words >= rule.wide_words || rule.balanced_gain * by_rows < by_tiles;
    const bool few_are_empty = mean >= rule.mostly_empty;
    return gains && few_are_empty && p.rows > rule.handful ? row_kernel::adaptive : flattened;
  }

  const auto longest = static_cast<double>(p.known.longest);
  // 2.5 and not 2: a mesh with rows of 13.6 on average and 44 at most takes 1.55 times as long by
  // 16 lanes a row as by 4.
  const bool alike = longest <= 2.5 * mean + 16;
  const int suits_mean = mapping_for(p, device);
  if (p.costly && alike && row_mappings[suits_mean].lanes == 32) return row_kernel::warp_of_32;

  const double stream = (atoms + rows) * (p.value_bytes + 4) / rule.bytes_a_us;
  // Of rows of different lengths, lanes of one warp wait for each other.
  const double uneven = 1.0 + std::max(p.known.variation, 0.0) / 2;
  row_kernel best = flattened;
  double least =
      (flattened == row_kernel::flattened_small ? rule.flattened_one : rule.flattened_launch) +
      rule.flattened_factor * stream;
  const double adaptive = adaptive_us(p, rule, device, stream * uneven, longest);
  report(flattened, least);
  report(row_kernel::adaptive, adaptive);
  if (adaptive < least) {
    best = row_kernel::adaptive;
    least = adaptive;
  }
  for (int i = suits_mean; i < static_cast<int>(std::size(row_mappings)); ++i) {
    const row_mapping& by = row_mappings[i];
    if (p.costly && (by.lanes == 8 || by.lanes == 16)) continue;
    const double time = rule.launch + std::max(stream * uneven, rows * by.us_a_row) +
                        rule.round * longest / (4 * by.lanes);
    report(by.kernel, time);
    if (time >= least) continue;
    best = by.kernel;
    least = time;
    // Rows that are all alike are best off with what suits their mean.
    if (alike) break;
  }
  return best;
}

}  // namespace fettle::ndp::cuda::detail
