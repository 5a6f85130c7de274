// A tile of a flattened computation: equal numbers of steps of the merge path for every block, cut
// again into equal runs of steps for the block's threads.
//
// clang-format off
//   The merge path over rows of 3, 0, 4 and 1 atoms, with tiles of 4 steps (a: takes an atom;
//   E: ends a row). A row that a tile boundary cuts is continued by the carry.
//
//     step     0   1   2   3 |  4   5   6   7 |  8   9  10  11
//     takes   a0  a1  a2  E0 | E1  a3  a4  a5 | a6  E2  a7  E3
//     row      0   0   0   0 |  1   2   2   2 |  2   2   3   3
//     tile    '----- 0 -----' '----- 1 ------' '----- 2 ------'
//     carry                 none         a3+a4+a5
//
//   A block's phases. Each is one function here with the thread's number as an argument, so that
//   the tests run the same code on the host, as a loop over threads.
//
//     phase            who works          what it does
//     ---------------  -----------------  ------------------------------------------------------
//     clear_ends       each thread        clears its word of row ends
//     place_row_ends   all, strided       writes where each row ends, counted from the tile's first
//                                         atom, to shared memory; sets the bit of that step in the
//                                         word of the thread whose run of steps contains it
//     (rows before)    block scan         counts the rows that end before each thread's run
//     walk             each thread        writes for each atom of its run which step takes it
//     evaluate         each warp          computes its atoms; neighbouring threads read neighbours
//     reduce           each thread        combines its atoms in order, row by row
//     (carry)          block scan         passes partial results of unfinished rows on, in order
//     finish           each thread        combines the carry with the thread's first row end
//     (store)          all, strided       writes the rows' results, neighbours side by side
//
//   Shared memory of a block, n = threads * steps of a thread:
//
//     value_bytes  | value of step 0 | ... | value of step n - 1 |    first the words of row ends
//     indices       | step of atom 0 | ... | end of row 0 | ... |      atoms + rows <= n entries
// clang-format on
//
// From rows before to reduce the threads of a warp need nothing of other warps: no barrier there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/tile_memory.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

// The rules by which the 32 lanes of a warp pass on the carries of rows that go on. Bit l of
// `ends`: lane l ends a row, so the carry that it passes on starts anew.

/// In a scan by doubling distances: up to which distance a lane takes what a lane before it has.
/// The lanes after that one, up to this one, are all in one row.
[[nodiscard]] FETTLE_HOST_DEVICE inline int carry_reach(std::uint32_t ends, int lane) {
  const std::uint32_t so_far = ends & (0xFFFFFFFFU >> (31 - lane));
#ifdef __CUDA_ARCH__
  const int last = 31 - __clz(static_cast<int>(so_far));
#else
  const int last = 31 - std::countl_zero(so_far);
#endif
  return lane - (last < 0 ? 0 : last);
}

/// Whether one of the first `lanes` lanes ends a row.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool carry_ended(std::uint32_t ends, int lanes) {
  return lanes == 32 ? ends != 0 : (ends & ((1U << lanes) - 1)) != 0;
}

template <typename T, int Threads, int Steps>
struct flattened_tile {
  using memory = tile_memory<T, Threads, Steps>;
  static constexpr int steps_a_thread = Steps;

  /// The extent of local row `row`, for rows that end here and the one that goes on.
  [[nodiscard]] static FETTLE_HOST_DEVICE row_extent extent_of(const memory& shared,
                                                               const tile_bounds& bounds, int row) {
    return {bounds.first_row + row,
            row == 0 ? bounds.first_begin : bounds.first_atom + shared.row_end(bounds, row - 1),
            row == bounds.rows ? bounds.last_end : bounds.first_atom + shared.row_end(bounds, row)};
  }

  /// Before row ends are written. Steps behind the end of all rows, in the last tile, end rows that
  /// are never read.
  static FETTLE_HOST_DEVICE void clear_ends(memory& shared, const tile_bounds& bounds, int thread) {
    constexpr std::uint32_t all = (1U << Steps) - 1U;
    const int left = bounds.rows + bounds.atoms - thread * Steps;
    const std::uint32_t ends = left >= Steps ? 0U : left <= 0 ? all : all >> left << left;
    memcpy(shared.ends_of(thread), &ends, sizeof(ends));
  }

  template <bool MarkEnds, typename Shape>
  static FETTLE_HOST_DEVICE void place_row_ends(memory& shared, const tile_bounds& bounds,
                                                const Shape& shape, int thread) {
    for (int i = thread; i < bounds.rows; i += Threads) {
      const auto end =
          static_cast<int>(shape.row_begin(bounds.first_row + i + 1) - bounds.first_atom);
      shared.row_end(bounds, i) = static_cast<std::uint16_t>(end);
      if constexpr (MarkEnds) {
        const unsigned step = static_cast<unsigned>(end + i);
        set_bit(shared.ends_of(static_cast<int>(step / Steps)), step % Steps);
      }
    }
  }

  /// The run of a thread before which `rows_before` rows end.
  [[nodiscard]] static FETTLE_HOST_DEVICE thread_steps steps_of(memory& shared, int thread,
                                                                int rows_before) {
    return {rows_before, thread * Steps - rows_before, ends_in(shared, thread)};
  }
  [[nodiscard]] static FETTLE_HOST_DEVICE std::uint32_t ends_in(memory& shared, int thread) {
    std::uint32_t ends = 0;
    memcpy(&ends, shared.ends_of(thread), sizeof(ends));
    return ends;
  }

  static FETTLE_HOST_DEVICE void walk(memory& shared, const thread_steps& steps, int thread) {
    std::uint16_t* to = shared.indices + steps.atom;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Steps; ++i) {
      if (!steps.ends_row(i)) {
        *to = static_cast<std::uint16_t>(thread * Steps + i);
        ++to;
      }
    }
  }

  /// Every atom of a warp once, several at a time so that their loads overlap.
  template <bool SameRows, typename E>
  static FETTLE_HOST_DEVICE void evaluate(memory& shared, const tile_bounds& bounds, const E& e,
                                          const warp_atoms& atoms, int lane) {
    constexpr int most = sizeof(T) <= 8 ? 4 : 2;
    constexpr int batch = Steps < most ? Steps : most;
    const int last = atoms.first + atoms.count - 1;
    int atom = atoms.first + lane;
    int left = atoms.count;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (; left >= 32 * batch; left -= 32 * batch) {
      evaluate_rounds<SameRows, batch, false>(shared, bounds, e, atom, last);
      atom += 32 * batch;
    }
    evaluate_rest<SameRows, batch>(shared, bounds, e, atom, last, left);
  }

  /// The results of rows that end in the thread's run go to their steps; `op_of(row)` is the
  /// operator of a local row.
  template <typename Op, typename OpOf>
  [[nodiscard]] static FETTLE_HOST_DEVICE thread_partials<Op, T> reduce(memory& shared,
                                                                        const thread_steps& steps,
                                                                        int thread,
                                                                        const OpOf& op_of) {
    using partial = partial_value<Op, T>;
    constexpr int ahead = sizeof(T) <= 4 ? 12 : sizeof(T) <= 8 ? 6 : 3;
    thread_partials<Op, T> out;
    partial sum = partial::none();
    T* values = shared.values() + thread * Steps;
    int row = steps.row;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int first = 0; first < Steps; first += ahead) {
      const int end = first + ahead < Steps ? first + ahead : Steps;
      T value[std::size_t{ahead}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int i = first; i < end; ++i) {
        if (!steps.ends_row(i)) value[i - first] = values[i];
      }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int i = first; i < end; ++i) {
        if (steps.ends_row(i)) {
          values[i] = sum.value;
          sum = partial::none();
          ++row;
        } else {
          sum.append(op_of(row), value[i - first]);
        }
      }
    }
    out.last = sum;
    out.ends_row = steps.ends != 0;
    if (out.ends_row && !steps.ends_row(0)) {
      out.first = partial::of(values[first_end(steps)]);
    }
    return out;
  }

  /// For a scan: every atom of the thread is replaced by what comes before it in its row, starting
  /// with the carry, and where Inclusive by that and itself. What a row's first atom gets of an
  /// exclusive scan has no meaning: nothing comes before it.
  template <bool Inclusive, typename Op, typename OpOf>
  static FETTLE_HOST_DEVICE void scan(memory& shared, const thread_steps& steps, int thread,
                                      partial_value<Op, T> carry, const OpOf& op_of) {
    T* values = shared.values() + thread * Steps;
    int row = steps.row;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Steps; ++i) {
      if (steps.ends_row(i)) {
        carry = partial_value<Op, T>::none();
        ++row;
      } else {
        const T value = values[i];
        if constexpr (!Inclusive) values[i] = carry.value;
        carry.append(op_of(row), value);
        if constexpr (Inclusive) values[i] = carry.value;
      }
    }
  }

  /// The first row that ends in the thread's run: what threads before it have, then what it has.
  template <typename Op>
  static FETTLE_HOST_DEVICE void finish(memory& shared, const thread_steps& steps, int thread,
                                        const thread_partials<Op, T>& own,
                                        const partial_value<Op, T>& carry, const Op& op) {
    if (own.ends_row) {
      shared.values()[thread * Steps + first_end(steps)] = joined(op, carry, own.first).value;
    }
  }

 private:
  [[nodiscard]] static FETTLE_HOST_DEVICE int first_end(const thread_steps& steps) {
#ifdef __CUDA_ARCH__
    return __ffs(static_cast<int>(steps.ends)) - 1;
#else
    return std::countr_zero(steps.ends);
#endif
  }

  static FETTLE_HOST_DEVICE void set_bit(unsigned char* word, unsigned bit) {
#ifdef __CUDA_ARCH__
    atomicOr(reinterpret_cast<unsigned*>(word), 1U << bit);
#else
    std::uint32_t bits = 0;
    memcpy(&bits, word, sizeof(bits));
    bits |= 1U << bit;
    memcpy(word, &bits, sizeof(bits));
#endif
  }

  /// `Rounds` atoms of a lane, 32 apart; with Guarded, the last one may lie behind `last`, and is
  /// then taken for that one, which keeps the code free of branches.
  template <bool SameRows, int Rounds, bool Guarded, typename E>
  static FETTLE_HOST_DEVICE void evaluate_rounds(memory& shared, const tile_bounds& bounds,
                                                 const E& e, int atom, int last) {
    // Of 16 bytes, neighbours read the same memory four times, but with more loads on the way.
    constexpr bool wide = bytes_read_v<decltype(E::value_type::source)>.in_order > packet_bytes;
    T value[std::size_t{Rounds}];
    int step[std::size_t{Rounds}];
    const index_t first = bounds.first_atom + atom;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < Rounds; ++j) {
      const bool behind = Guarded && j == Rounds - 1 && atom + 32 * j > last;
      const int at = behind ? last : atom + 32 * j;
      step[j] = shared.step_of(at);
      const row_extent extent = extent_of(shared, bounds, step[j] - at);
      const index_t in_source = behind ? bounds.first_atom + last : first + 32 * j;
      value[j] = atom_of<wide>(row_at<SameRows>(e, extent), extent, in_source - extent.begin);
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < Rounds; ++j) {
      if (!Guarded || j < Rounds - 1 || atom + 32 * j <= last) shared.values()[step[j]] = value[j];
    }
  }

  /// The last `left` atoms of a warp, at most 32 * Rounds.
  template <bool SameRows, int Rounds, typename E>
  static FETTLE_HOST_DEVICE void evaluate_rest(memory& shared, const tile_bounds& bounds,
                                               const E& e, int atom, int last, int left) {
    if constexpr (Rounds > 0) {
      if (left > 32 * (Rounds - 1)) {
        evaluate_rounds<SameRows, Rounds, true>(shared, bounds, e, atom, last);
      } else {
        evaluate_rest<SameRows, Rounds - 1>(shared, bounds, e, atom, last, left);
      }
    }
  }
};

}  // namespace fettle::ndp::cuda::detail
