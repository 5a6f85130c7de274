// cuts: where the rows of a computation are cut, one part a device: into equally many rows, or into
// equal work, where rows and their elements count (the merge path of Merrill and Garland).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/base/split.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices {

/// What is divided equally. `automatic`: the work where rows have any lengths (nest), else rows.
enum class partition_by : std::uint8_t { automatic, rows, work };

[[nodiscard]] constexpr auto names_of(partition_by /*any*/) noexcept {
  return std::array<std::string_view, 3>{"automatic", "rows", "work"};
}

/// Devices that a computation is divided among at most.
inline constexpr int most_devices = 64;

/// Part p is [begin(p), begin(p + 1)); parts may be empty.
struct cuts {
  int parts = 1;
  index_t at[most_devices + 1] = {};  // kernels cannot read a std::array

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t begin(int part) const noexcept {
    return at[part];
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size(int part) const noexcept {
    return begin(part + 1) - begin(part);
  }
};

[[nodiscard]] constexpr cuts equal_cuts(index_t count, int parts) noexcept {
  cuts made{.parts = parts};
  for (int p = 0; p <= parts; ++p) {
    made.at[p] = p == parts ? count : part_begin(count, p, parts);
  }
  return made;
}

/// row_end(i) counts the elements of rows 0 to i. No row is cut: part p ends with the row on which
/// step (p + 1) / parts of the merge path lies.
template <typename RowEnd>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr cuts work_cuts(const RowEnd& row_end, index_t rows,
                                                          int parts) {
  cuts made{.parts = parts};
  const index_t atoms = rows > 0 ? static_cast<index_t>(row_end(rows - 1)) : 0;
  for (int p = 1; p < parts; ++p) {
    const index_t step = part_begin(rows + atoms, p, parts);
    const auto here = find_on_path<index_t>(row_end, rows, atoms, step);
    // The row that the step is in goes to the part that has more of it.
    const index_t begun = here.row == 0 ? 0 : static_cast<index_t>(row_end(here.row - 1));
    const bool takes_row =
        here.row < rows && here.atom - begun > static_cast<index_t>(row_end(here.row)) - here.atom;
    made.at[p] = here.row + (takes_row ? 1 : 0);
  }
  made.at[parts] = rows;
  return made;
}

}  // namespace fettle::ndp::devices
