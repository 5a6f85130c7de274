// What a block keeps of a tile of a flattened computation: where the tile lies, the block's shared
// memory, and what each thread knows of its run of steps. What is done with them is in
// flattened_tile.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Where a tile lies. Its rows are those that end in it; the row after them, number `rows`, goes
/// on in the next tile. Atoms count from `first_atom` on.
struct tile_bounds {
  index_t first_row;
  index_t first_atom;   // in the shape's flat source
  index_t first_begin;  // where the first row begins, maybe before first_atom
  index_t last_end;     // where the row ends that goes on
  int rows;
  int atoms;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool first_row_goes_on() const {
    return first_begin < first_atom;
  }
};

/// The tile in which the tile's first row began, of tiles of `tile_steps`; `tile` is its own
/// number.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t first_tile_of_row(const tile_bounds& bounds,
                                                                     index_t tile,
                                                                     index_t tile_steps) {
  return (tile * tile_steps - (bounds.first_atom - bounds.first_begin)) / tile_steps;
}

/// The shared memory of a block: Threads * Steps steps.
template <typename T, int Threads, int Steps>
struct tile_memory {
  static constexpr int steps = Threads * Steps;
  static_assert(steps <= 65535, "a tile counts its steps in 16 bits");
  static_assert(Threads % 32 == 0, "a block has whole warps");
  static_assert(Steps * sizeof(T) >= sizeof(std::uint32_t),
                "a thread's values leave room for its row ends");

  alignas(T) alignas(
      std::uint32_t) unsigned char value_bytes[static_cast<std::size_t>(steps) * sizeof(T)];
  std::uint16_t indices[std::size_t{steps}];  // of atoms, then of rows

  /// By steps: the value of the atom that a step takes, the result of the row that it ends. So
  /// threads read at a distance of Steps, which is odd.
  [[nodiscard]] FETTLE_HOST_DEVICE T* values() { return reinterpret_cast<T*>(value_bytes); }
  /// The step that takes local atom `atom`.
  [[nodiscard]] FETTLE_HOST_DEVICE std::uint16_t& step_of(int atom) { return indices[atom]; }
  /// Where local row `row` ends, in local atoms; behind what all atoms need, as many entries as
  /// steps.
  [[nodiscard]] FETTLE_HOST_DEVICE std::uint16_t& row_end(const tile_bounds& bounds, int row) {
    return indices[bounds.atoms + row];
  }
  [[nodiscard]] FETTLE_HOST_DEVICE int row_end(const tile_bounds& bounds, int row) const {
    return indices[bounds.atoms + row];
  }
  /// The result of local row `row`.
  [[nodiscard]] FETTLE_HOST_DEVICE T& result(const tile_bounds& bounds, int row) {
    return values()[row_end(bounds, row) + row];
  }

  /// The word of a thread's row ends, bit i for its step i. It lies where the values of the
  /// thread's warp are stored later.
  [[nodiscard]] FETTLE_HOST_DEVICE unsigned char* ends_of(int thread) {
    constexpr int warp_bytes = 32 * Steps * static_cast<int>(sizeof(T));
    return value_bytes + thread / 32 * warp_bytes + thread % 32 * 4;
  }
};

/// A thread's run of steps: where it starts, and which of its steps end rows.
struct thread_steps {
  int row = 0;
  int atom = 0;
  std::uint32_t ends = 0;  // bit i: step i ends a row; else it takes an atom

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool ends_row(int step) const {
    return (ends >> step & 1U) != 0;
  }
};

/// The atoms that the threads of a warp take.
struct warp_atoms {
  int first;
  int count;
};

/// What a thread has of the first row that ends in its run, and of the row that goes on after it.
template <typename Op, typename T>
struct thread_partials {
  bool ends_row = false;
  partial_value<Op, T> first = partial_value<Op, T>::none();
  partial_value<Op, T> last = partial_value<Op, T>::none();
};

}  // namespace fettle::ndp::cuda::detail
