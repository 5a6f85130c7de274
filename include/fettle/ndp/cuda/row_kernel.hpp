// Which kernel an untuned map > reduce gets: the default rule as a function of a few numbers. Needs
// no CUDA.
//
// Of rows whose longest is known (the program says so, or had inspect_rows() look), the rule takes
// the row mapping that suits their mean length:
//
//   mean length               a row is the work of
//   up to 4 (10: small)       a thread
//   up to 12, 24, 700         a logical warp of 2, 4, 16 lanes
//   more                      a block
//
// unless the longest row would hold it up: then more lanes a row, or flattened, whichever a rough
// estimate of the times says. Of rows of which nothing is known the host sees only how many there
// are and how many atoms: the offsets lie in the GPU's memory. Then little work is mapped by rows,
// in one short launch; a handful of long rows is cut for several blocks each; other long rows get
// a block each; and all else is flattened, whose time is bounded whatever the rows' lengths are.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

namespace fettle::ndp::cuda {

enum class row_kernel : std::uint8_t {
  thread,           // independent>sequential
  warp_of_2,        // independent>cooperative, resource=warp, logical_warp_size=2
  warp_of_4,        // ... 4
  warp_of_16,       // ... 16
  warp_of_32,       // ... 32
  block,            // independent>cooperative, resource=block, of 128 threads
  split,            // several blocks a row: split_rows.cuh
  flattened_small,  // flattened, blocks of 128 threads: all multiprocessors get some
  flattened_large   // flattened, blocks of 256 threads
};

/// What the rule looks at; all of it is known to the host.
struct row_problem {
  index_t rows = 0;
  index_t atoms = 0;  // at most
  row_statistics known{};
  bool commutative = true;
  int value_bytes = 8;
};

/// The bounds of the rule and the figures of its estimates, in us, measured on an H200.
struct row_rule {
  index_t little_work = 65536;      // atoms that a mapping by rows may take, whatever their skew
  index_t handful = 16;             // rows of which each can be cut for all multiprocessors
  index_t long_row = 16384;         // atoms
  index_t small_path = 360 * 1000;  // rows and atoms
  index_t warps_at_once = 12288;    // rows up to which a whole warp each is not too many
  index_t blocks_at_once = 528;     // four for each of the 132 multiprocessors of an H200
  double row_of_block = 512;        // mean length from which a block a row wastes nothing
  double launch = 4.5;
  double round = 0.7;              // of loads that a lane waits for; it has four in flight
  double bytes_a_us = 1.6e6;       // of atoms with their indices, and of rows
  double flattened_launch = 12.0;  // of its kernels
  double flattened_share = 1.4;    // how much longer its blocks take for the same bytes
};

namespace detail {

struct row_mapping {
  row_kernel kernel;
  int lanes;
  double us_a_row;  // where a row has nothing to do
};

inline constexpr row_mapping row_mappings[] = {
    {row_kernel::thread, 1, 0.0},       {row_kernel::warp_of_2, 2, 2e-5},
    {row_kernel::warp_of_4, 4, 4e-5},   {row_kernel::warp_of_16, 16, 1.1e-4},
    {row_kernel::warp_of_32, 32, 3e-4}, {row_kernel::block, 128, 2e-3},
};

/// The place in row_mappings that suits rows of one length.
[[nodiscard]] constexpr int mapping_for(double mean, int value_bytes) noexcept {
  const double of_thread = value_bytes <= 4 ? 10 : 4;
  return mean <= of_thread ? 0 : mean <= 12 ? 1 : mean <= 24 ? 2 : mean <= 700 ? 3 : 5;
}

}  // namespace detail

/// The kernel for such rows.
[[nodiscard]] constexpr row_kernel choose_row_kernel(const row_problem& p,
                                                     const row_rule& rule = {}) {
  const auto rows = static_cast<double>(p.rows);
  const auto atoms = static_cast<double>(p.atoms);
  const double mean = p.rows > 0 ? atoms / rows : 0.0;
  if (p.rows <= rule.handful && mean >= static_cast<double>(rule.long_row) && p.commutative) {
    return row_kernel::split;
  }
  const row_kernel flattened = p.rows + p.atoms <= rule.small_path ? row_kernel::flattened_small
                                                                   : row_kernel::flattened_large;
  if (p.known.longest < 0) {
    if (mean >= rule.row_of_block && p.rows > rule.handful) return row_kernel::block;
    if (p.atoms > rule.little_work) return flattened;
    return mean > 100 ? row_kernel::warp_of_32 : row_kernel::warp_of_16;
  }

  const auto longest = static_cast<double>(p.known.longest);
  const double stream = (atoms + rows) * (p.value_bytes + 4) / rule.bytes_a_us;
  row_kernel best = flattened;
  double least = rule.flattened_launch + rule.flattened_share * stream;
  for (int i = detail::mapping_for(mean, p.value_bytes); i < 6; ++i) {
    const detail::row_mapping& by = detail::row_mappings[i];
    const double time =
        rule.launch + std::max(stream, rows * by.us_a_row) + rule.round * longest / (4 * by.lanes);
    if (time >= least) continue;
    best = by.kernel;
    least = time;
    // Rows that are all alike are best off with what suits their mean.
    if (longest <= 2 * mean + 16) break;
  }
  return best;
}

}  // namespace fettle::ndp::cuda
