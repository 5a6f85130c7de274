// The merge path: rows and their atoms (inner elements) in one order of steps, so that equal
// numbers of steps are equal amounts of work whatever the rows' lengths are.
//
// Step by step the path takes the atoms of a row, then the row's end, then the next row's atoms.
// Row i ends at step i + end(i), where end(i) counts the atoms of rows 0 to i. So a step number (a
// "diagonal") tells how many row ends and how many atoms come before it, found by bisection; empty
// rows cost a step and a giant row is cut like any other. (Merrill and Garland, SC 2016.)
#pragma once

#include <concepts>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// What comes before a step of the path: so many row ends, so many atoms.
template <std::signed_integral Index>
struct path_coordinate {
  Index row = 0;
  Index atom = 0;

  [[nodiscard]] friend constexpr bool operator==(const path_coordinate&,
                                                 const path_coordinate&) = default;
};

/// The row ends before a step, not yet known exactly: at least `low`, at most `high`.
template <std::signed_integral Index>
struct path_search {
  Index step = 0;
  Index low = 0;
  Index high = 0;

  /// The start of a search in a path of so many rows and atoms; 0 <= step <= rows + atoms.
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr path_search over(Index rows, Index atoms,
                                                                     Index step) {
    return {step, step > atoms ? static_cast<Index>(step - atoms) : Index{0},
            step < rows ? step : rows};
  }

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool found() const { return low >= high; }

  /// Whether `row`, whose end is given, ends before the step.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool comes_before(Index row, Index end) const {
    return row + end < step;
  }

  // Several lanes search together: each looks at one row a round, which leaves 1/lanes of the rows.

  /// The row for `lane` to look at; one at or past `high` is to be taken for one after the step.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr Index probe(int lane, int lanes) const {
    return static_cast<Index>(low + stride(lanes) * (lane + 1) - 1);
  }

  /// Goes on with what remains after the first `count` lanes found their rows before the step.
  FETTLE_HOST_DEVICE constexpr void narrow(int count, int lanes) {
    const Index next = probe(count, lanes);
    low = static_cast<Index>(low + stride(lanes) * count);
    if (next < high) high = next;
  }

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr path_coordinate<Index> coordinate() const {
    return {low, static_cast<Index>(step - low)};
  }

 private:
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr Index stride(int lanes) const {
    return static_cast<Index>((high - low + lanes - 1) / lanes);
  }
};

/// Ends a search by bisection. row_end(i) says where row i ends, counted in atoms from the first
/// row's start.
template <std::signed_integral Index, typename RowEnd>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr path_coordinate<Index> bisect(path_search<Index> search,
                                                                         const RowEnd& row_end) {
  while (!search.found()) {
    const auto middle = static_cast<Index>(search.low + (search.high - search.low) / 2);
    if (search.comes_before(middle, static_cast<Index>(row_end(middle)))) {
      search.low = static_cast<Index>(middle + 1);
    } else {
      search.high = middle;
    }
  }
  return search.coordinate();
}

/// Where `step` lies on the path of `rows` rows.
template <std::signed_integral Index, typename RowEnd>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr path_coordinate<Index> find_on_path(
    const RowEnd& row_end, Index rows, Index atoms, Index step) {
  return bisect(path_search<Index>::over(rows, atoms, step), row_end);
}

/// Where the rows of a nested sequence end, as find_on_path asks for it.
template <typename Shape>
struct row_ends_of {
  const Shape& shape;
  index_t base;  // shape.row_begin(0)

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t operator()(index_t row) const {
    return shape.row_begin(row + 1) - base;
  }
};

/// The step that takes the first atom of a row that starts `begin` atoms after the first row.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t first_step_of(index_t row, index_t begin) {
  return row + begin;
}

}  // namespace fettle::ndp
