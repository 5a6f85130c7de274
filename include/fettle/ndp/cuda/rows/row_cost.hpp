// row_cost: what it takes a GPU to reduce rows of about one length by so many lanes each, in
// microseconds; and the number of lanes that takes least. Needs no CUDA.
//
//   time = launch + sqrt(memory^2 + instructions^2) + latency
//
//   memory        the rows' bytes. A thread that walks a row by itself uses a part of each sector
//                 that it reads, and again later, when other rows have displaced it.
//   instructions  of warps: to find a row, to combine its lanes' values by shuffles, to store it
//   latency       loads of one row that wait for each other
//
// The constants were fitted on an H100 to argmin of {float, int}, sums of floats and of doubles,
// counts of bytes and maxima of gathered floats; the rates are the device's (device_rates.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/device_rates.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The rows, and what one of their atoms is.
struct row_work {
  index_t rows = 0;
  double mean = 0;          // atoms of a row
  int atom_bytes = 8;       // that are read for an atom, those of random accesses included
  int element_bytes = 8;    // of them, those that follow each other in memory
  int partial_words = 2;    // of 32 bits, in a partial result
  bool has_gather = false;  // an atom takes two loads, one after the other

  [[nodiscard]] friend bool operator==(const row_work&, const row_work&) = default;
};

/// Lanes of a row: up to 32 of a warp, or a block of `block_lanes`.
inline constexpr int block_lanes = 128;

/// A choice of lanes, with what its estimate would compute anew for every call.
struct lanes_choice {
  int lanes;
  double steps;   // of shuffles: the binary logarithm of a warp's lanes
  double reread;  // the part of memory that is read twice, falling with the root of the lanes
};
inline constexpr lanes_choice lanes_choices[] = {
    {1, 0, 0.3},    {2, 1, 0.212},           {4, 2, 0.15}, {8, 3, 0.106}, {16, 4, 0.075},
    {32, 5, 0.053}, {block_lanes, 5, 0.027},
};

[[nodiscard]] inline double lanes_us(const row_work& work, const lanes_choice& by,
                                     const device_rates& device) {
  constexpr double longer = 4.0 / 3.0;  // the longest of some rows, beside their mean
  constexpr double sector = 32.0;       // bytes
  constexpr double staged = 4.0;        // loads of a lane that overlap
  const auto rows = static_cast<double>(work.rows);
  const double atoms = rows * work.mean;
  const double row_bytes = work.mean * work.element_bytes;

  const double bytes_of_round = std::max(sector, staged * by.lanes * work.element_bytes);
  const double rounds = std::ceil(longer * row_bytes / bytes_of_round);
  // Rows of two sectors or less are read before they are displaced, but by random accesses.
  const double kept = work.has_gather ? 0.0 : 2 * sector / std::max(2 * sector, row_bytes);
  const double reread = by.reread * (1.0 - 1.0 / std::max(rounds, 1.0)) * (1.0 - kept);
  const double memory = (atoms * work.atom_bytes + 8 * rows) / device.bytes * (1.0 + reread);

  const double of_block = by.lanes > 32 ? 80.0 : 0.0;  // barriers, partial results in memory
  // Forces on 1.4 million particles of nine neighbours: 73 us by a lane a row, 152 by four. Of
  // wider results, which are as wide as what is gathered, a lane has as much to wait for.
  const bool waits =
      work.partial_words >= 4 && work.partial_words <= 8 && work.has_gather && by.lanes > 1;
  const double of_structures = waits ? 300.0 : 0.0;
  const double of_warp = 90.0 + of_block + of_structures + 16.0 * work.partial_words * by.steps;
  const double instructions =
      (rows * by.lanes / 32 * of_warp + atoms / 32 * 6.0) / device.instructions;

  const double latency = rounds * device.load * (work.has_gather ? 2.0 : 1.0);
  const double barriers = by.lanes > 32 ? 1.5 : 0.0;
  return device.launch + std::sqrt(memory * memory + instructions * instructions) + latency +
         barriers;
}

/// The lanes that take least; the fewer where it is about the same.
struct lanes_estimate {
  int lanes;
  double us;
};
[[nodiscard]] inline lanes_estimate best_lanes(const row_work& work, const device_rates& device) {
  constexpr double about = 0.98;
  // A thread keeps few registers beside two such results: 4 x 4 matrices, in rows of up to three,
  // took it 136 us, and two lanes 75.
  constexpr int too_wide_for_lane = 16;
  lanes_estimate best{0, 0.0};
  for (const lanes_choice& by : lanes_choices) {
    if (by.lanes == 1 && work.partial_words >= too_wide_for_lane) continue;
    const double us = lanes_us(work, by, device);
    if (best.lanes == 0 || us < about * best.us) best = {by.lanes, us};
  }
  return best;
}

/// Flattened rows: the same time for each atom and row, whatever the rows' lengths are.
[[nodiscard]] inline double flattened_us(const row_work& work, const device_rates& device) {
  constexpr double two_launches = 8.0;
  const auto rows = static_cast<double>(work.rows);
  const double atoms = rows * work.mean;
  const double memory = (atoms * work.atom_bytes + 8 * rows) / device.bytes;
  // Thirty warp instructions a step: to find it, to evaluate it, and to combine it.
  const double instructions =
      (rows + atoms) / 32 * (75.0 + 29.0 * work.partial_words) / device.instructions;
  return two_launches + std::sqrt(memory * memory + instructions * instructions);
}

}  // namespace fettle::ndp::cuda::detail
