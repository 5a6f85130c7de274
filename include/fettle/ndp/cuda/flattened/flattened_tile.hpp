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
//     evaluate         each warp          computes its atoms: tile_evaluation.hpp
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
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/tile_evaluation.hpp>
#include <fettle/ndp/cuda/flattened/tile_memory.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename T, int Threads, int Steps>
struct flattened_tile : tile_evaluation<T, Threads, Steps> {
  using memory = tile_memory<T, Threads, Steps>;
  static constexpr int steps_a_thread = Steps;

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
};

}  // namespace fettle::ndp::cuda::detail
