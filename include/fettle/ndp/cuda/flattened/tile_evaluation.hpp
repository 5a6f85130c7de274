// How a warp computes its atoms of a flattened tile: the phase `evaluate` of flattened_tile.hpp.
//
// Neighbouring lanes compute neighbouring atoms, and each several at a time, so that their loads
// overlap. Which row an atom is of follows from the step that takes it, which is in shared memory.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/flattened/tile_memory.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename T, int Threads, int Steps>
struct tile_evaluation {
  using memory = tile_memory<T, Threads, Steps>;

  /// The extent of local row `row`, for rows that end here and the one that goes on.
  [[nodiscard]] static FETTLE_HOST_DEVICE row_extent extent_of(const memory& shared,
                                                               const tile_bounds& bounds, int row) {
    return {bounds.first_row + row,
            row == 0 ? bounds.first_begin : bounds.first_atom + shared.row_end(bounds, row - 1),
            row == bounds.rows ? bounds.last_end : bounds.first_atom + shared.row_end(bounds, row)};
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

 private:
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
