// How adaptive_rows.cuh distributes rows of any lengths: pure functions of a few numbers, which the
// tests run on the host. Needs no CUDA.
//
// Rows get as many lanes each as suit their mean length. A row that is long beside the others is
// left to more lanes, or to the whole block; a very long one is cut in pieces, which blocks that
// have nothing else to do take.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/rows/row_cost.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

struct adaptive_rows_plan {
  static constexpr int threads = 256;
  static constexpr int lanes_of_middle = 8;  // lanes of rows that are somewhat long,
  static constexpr int middle = 96;          // up to so many atoms
  static constexpr int of_warp = 1024;       // atoms of a row for a warp, at most
  static constexpr int very_long = 16384;    // rows of more atoms are cut in pieces
  static constexpr int piece_atoms = 2048;   // at least
  static constexpr int most_pieces = 256;    // of a row
  static constexpr index_t busy_threads = 300 * 1000;
  static constexpr int crowded_rows = 4;           // long rows of a block: more are too many,
  static constexpr int long_if_crowded = 2048;     // so that shorter ones are cut too
  static constexpr int very_long_of_warp = 4096;   // atoms of a row that a warp does alone, at most
  static constexpr index_t most_listed = 1 << 17;  // rows that the first of two kernels leaves
  static constexpr int least_work = 131072;  // atoms; of fewer, no row is worth another kernel

  static constexpr index_t one_kernel = 1 << 20;  // rows and atoms that one kernel does at once

  int lanes = 1;        // of a row; `threads`: the whole block
  index_t longest = 0;  // atoms of a row for so many lanes

  /// For rows of about the same length, and for longer ones among them.
  [[nodiscard]] static adaptive_rows_plan of(const row_work& work,
                                             const device_rates& device = {}) noexcept {
    int lanes = best_lanes(work, device).lanes;
    if (lanes > 32) return {threads, very_long};
    // More where the rows are too few to keep the GPU busy: they cost nothing, and serve long rows.
    while (lanes < 32 && 2 * lanes * work.rows <= busy_threads) lanes *= 2;
    // Somewhat more than the mean, or lanes of one warp wait for each other.
    const auto mean = static_cast<index_t>(work.mean) + 1;
    const index_t longest = least_of(3 * mean + 4, index_t{32} * lanes);
    const index_t least = lanes == 32 ? index_t{of_warp} : 2 * mean;
    return {lanes, longest > least ? longest : least};
  }

  /// Where a second kernel has the longer ones.
  [[nodiscard]] constexpr index_t longest_of_lanes() const noexcept {
    return lanes == 32 ? index_t{very_long_of_warp} : longest;
  }
  /// Rows longer than that, at most.
  [[nodiscard]] constexpr index_t listed_rows(index_t rows, index_t atoms) const noexcept {
    return least_of(least_of(rows, atoms / longest_of_lanes() + 1), most_listed);
  }

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr int rows_at_once() const noexcept {
    return threads / lanes;
  }

  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr int pieces_of(index_t atoms) noexcept {
    const index_t pieces = ceiling_quotient(atoms, index_t{piece_atoms});
    return static_cast<int>(pieces < most_pieces ? pieces : index_t{most_pieces});
  }

  /// Rows that can be cut at most, and their pieces: what is set aside for them. The atoms are
  /// those of the rows' source, which may be far more than the rows have; rows beyond are not cut.
  [[nodiscard]] static constexpr index_t cut_rows_at_most(index_t rows, index_t atoms) noexcept {
    return least_of(rows, atoms / long_if_crowded + 1);
  }
  [[nodiscard]] static constexpr index_t pieces_at_most(index_t rows, index_t atoms) noexcept {
    const index_t cut = cut_rows_at_most(rows, atoms);
    return least_of(cut * most_pieces, atoms / piece_atoms + cut);
  }

 private:
  static constexpr index_t most_set_aside = index_t{1} << 24;

  [[nodiscard]] static constexpr index_t least_of(index_t a, index_t b) noexcept {
    const index_t least = a < b ? a : b;
    return least < most_set_aside ? least : most_set_aside;
  }
};

}  // namespace fettle::ndp::cuda::detail
