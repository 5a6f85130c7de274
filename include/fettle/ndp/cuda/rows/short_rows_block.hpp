// A block's work on consecutive short rows, a thread a row: the rows' atoms are evaluated by all
// threads side by side, tile by tile, and each thread then combines its own row's from shared
// memory.
//
// A thread that read its row by itself would read memory at a distance of a row from its
// neighbours. As in flattened_tile.hpp, what happens between two barriers is one function of the
// thread's number, which the tests run on the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A gap is left after so many values, every 128 bytes: neighbouring threads, a row of 2^n
/// atoms apart, then use different banks. 0: nowhere, wide values cost more room than that gains.
[[nodiscard]] constexpr int short_rows_gap(std::size_t value_bytes) {
  return value_bytes <= 32 ? static_cast<int>(128 / value_bytes) : 0;
}

/// Atoms of a tile: eight a thread, as far as the shared memory of a block goes.
[[nodiscard]] constexpr int short_rows_tile(int threads, std::size_t value_bytes) {
  constexpr std::size_t shared_bytes = 36 * 1024;
  const auto gap = static_cast<std::size_t>(short_rows_gap(value_bytes));
  const std::size_t padding = gap > 0 ? (value_bytes + gap - 1) / gap : 0;
  const auto room =
      static_cast<int>(shared_bytes / (value_bytes + padding + sizeof(std::uint16_t)));
  const int wanted = 8 * threads;
  return wanted < room ? wanted : room;
}

template <typename T, int Threads, int Tile>
struct short_rows_block {
  static_assert(Tile >= 1 && Threads <= 65535, "a tile holds an atom at least");

  static constexpr int gap = short_rows_gap(sizeof(T));
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr int padded(int atom) {
    if constexpr (gap == 0) {
      return atom;
    } else {
      return atom + atom / gap;
    }
  }

  struct memory {
    alignas(T) unsigned char value_bytes[static_cast<std::size_t>(padded(Tile) + 1) * sizeof(T)];
    std::uint16_t row_of[std::size_t{Tile}];
    index_t row_begin[std::size_t{Threads} + 1];

    [[nodiscard]] FETTLE_HOST_DEVICE T* values() { return reinterpret_cast<T*>(value_bytes); }
  };

  /// The block's rows: `rows` of them from `first_row` on.
  struct bounds {
    index_t first_row;
    int rows;
  };

  [[nodiscard]] static FETTLE_HOST_DEVICE row_extent extent_of(const memory& shared,
                                                               const bounds& block, int row) {
    return {block.first_row + row, shared.row_begin[row], shared.row_begin[row + 1]};
  }

  template <typename Shape>
  static FETTLE_HOST_DEVICE void place_rows(memory& shared, const bounds& block, const Shape& shape,
                                            int thread) {
    for (int i = thread; i <= block.rows; i += Threads) {
      shared.row_begin[i] = shape.row_begin(block.first_row + i);
    }
  }

  /// A row's atoms in the tile that starts at atom `tile`: [first, last), counted in the tile.
  struct span {
    int first;
    int last;
  };
  [[nodiscard]] static FETTLE_HOST_DEVICE span in_tile(const row_extent& extent, index_t tile) {
    const index_t begin = extent.begin > tile ? extent.begin - tile : 0;
    const index_t end = extent.end - tile < Tile ? extent.end - tile : Tile;
    return {begin < Tile ? static_cast<int>(begin) : Tile, end > 0 ? static_cast<int>(end) : 0};
  }

  static FETTLE_HOST_DEVICE void mark(memory& shared, const bounds& block, index_t tile,
                                      int thread) {
    if (thread >= block.rows) return;
    const span atoms = in_tile(extent_of(shared, block, thread), tile);
    for (int k = atoms.first; k < atoms.last; ++k) {
      shared.row_of[k] = static_cast<std::uint16_t>(thread);
    }
  }

  /// Every atom of the tile once; loads of several overlap.
  template <bool SameRows, typename E>
  static FETTLE_HOST_DEVICE void evaluate(memory& shared, const bounds& block, const E& e,
                                          index_t tile, int thread) {
    constexpr int batch = sizeof(T) <= 8 ? 4 : 2;
    const index_t rest = shared.row_begin[block.rows] - tile;
    const int count = rest < Tile ? static_cast<int>(rest) : Tile;
    for (int k = thread; k < count; k += batch * Threads) {
      T value[std::size_t{batch}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < batch; ++j) {
        const int at = k + j * Threads < count ? k + j * Threads : count - 1;
        const row_extent extent = extent_of(shared, block, shared.row_of[at]);
        value[j] = atom_of(row_at<SameRows>(e, extent), extent, tile + at - extent.begin);
      }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < batch; ++j) {
        if (k + j * Threads < count) shared.values()[padded(k + j * Threads)] = value[j];
      }
    }
  }

  template <typename Op>
  static FETTLE_HOST_DEVICE void reduce(memory& shared, const bounds& block, index_t tile,
                                        int thread, const Op& op, partial_value<Op, T>& sum) {
    if (thread >= block.rows) return;
    const span atoms = in_tile(extent_of(shared, block, thread), tile);
    for (int k = atoms.first; k < atoms.last; ++k) sum.append(op, shared.values()[padded(k)]);
  }
};

}  // namespace fettle::ndp::cuda::detail
