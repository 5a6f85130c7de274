// Which kernel an untuned map > reduce gets: the default rule as a function of a few numbers. Needs
// no CUDA.
//
//   | rows                                       | kernel                                      |
//   |--------------------------------------------|---------------------------------------------|
//   | little work in all                         | a row a (logical) warp: one short launch    |
//   | a handful of rows, all long                | several blocks a row                        |
//   | more, nothing known of their lengths       | flattened: equal shares, whatever they are  |
//   | more, known to be alike: up to a few atoms | blocks of rows staged in shared memory      |
//   |     tens of atoms                          | a row a logical warp of 8 lanes             |
//   |     hundreds                               | a row a warp                                |
//   |     thousands                              | a row a block                               |
//
// How skewed the rows are cannot be seen without reading the offsets, which lie in the GPU's
// memory. So wherever a bad mapping of rows to threads would cost much, the choice is flattened,
// whose time is bounded; a program that knows better says so (row_statistics), and tuning measures.
#pragma once

#include <cstdint>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

namespace fettle::ndp::cuda {

enum class row_kernel : std::uint8_t {
  warp_of_8,        // independent>cooperative, resource=warp, logical_warp_size=8
  warp_of_32,       // independent>cooperative, resource=warp
  block,            // independent>cooperative, resource=block
  staged,           // independent>sequential, resource=block: short_rows.cuh
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
  bool can_stage = true;
};

/// The bounds of the rule. They follow from orders of magnitude: a launch takes about 4 us, a
/// warp's round of dependent loads about 0.7 us, and a GPU runs some 250,000 threads at a time.
struct row_rule {
  index_t little_work = 65536;      // atoms that a mapping by rows may take, whatever their skew
  index_t warps_at_once = 12288;    // rows up to which a whole warp each is not too many
  index_t blocks_at_once = 528;     // four for each of the 132 multiprocessors of an H200
  index_t handful = 16;             // rows of which each can be cut for all multiprocessors
  index_t long_row = 16384;         // atoms
  index_t small_path = 360 * 1000;  // rows and atoms
  double alike = 4.0;               // longest / mean, up to which rows count as alike
};

/// The kernel for such rows.
[[nodiscard]] constexpr row_kernel choose_row_kernel(const row_problem& p,
                                                     const row_rule& rule = {}) {
  const double mean = p.rows > 0 ? static_cast<double>(p.atoms) / static_cast<double>(p.rows) : 0.0;
  const bool longest_known = p.known.longest >= 0;
  const double longest = static_cast<double>(longest_known ? p.known.longest : p.atoms);

  if (p.rows <= rule.handful && mean >= static_cast<double>(rule.long_row) && p.commutative) {
    return row_kernel::split;
  }
  if (p.atoms <= rule.little_work) {
    // The rows that a warp takes long for are the business of a block; a few blocks are enough.
    if (mean > 1024) return row_kernel::block;
    if (p.rows <= rule.warps_at_once) return row_kernel::warp_of_32;
    return row_kernel::warp_of_8;
  }
  const row_kernel shared_out = p.rows + p.atoms <= rule.small_path ? row_kernel::flattened_small
                                                                    : row_kernel::flattened_large;
  // Short rows count as alike even where one is many times the mean: it is short too.
  const bool alike = longest_known && longest <= rule.alike * mean + 16;
  if (!alike) return shared_out;
  if (mean <= 10 && p.can_stage) return row_kernel::staged;
  if (mean <= 48) return row_kernel::warp_of_8;
  if (mean <= 1536) return row_kernel::warp_of_32;
  return p.rows >= rule.blocks_at_once / 2 ? row_kernel::block : shared_out;
}

}  // namespace fettle::ndp::cuda
