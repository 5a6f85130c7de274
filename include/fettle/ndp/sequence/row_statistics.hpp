// row_statistics: what a program knows of its rows' lengths without Fettle having to read them.
//
//   auto rows = ndp::nest(values, offsets, {.longest = 31});
//
// They help the default rules and tuned computations choose: a wrong figure costs time, never
// correctness.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// How many of the rows count as the longest ones: this fraction, even if less than one row. Where
/// all rows have the same length, the longest rows have this fraction of the work.
inline constexpr double longest_rows_fraction = 0.01;

/// Negative: not known.
struct row_statistics {
  index_t longest = -1;         // elements of the longest row
  double variation = -1;        // of the rows' lengths: standard deviation / mean
  double empty = -1;            // fraction of the rows that have no element
  double work_in_longest = -1;  // fraction of the elements that are in the longest 1 % of the rows
  index_t elements = -1;        // of all rows, about, where the source has those of others, too

  [[nodiscard]] friend constexpr bool operator==(const row_statistics&,
                                                 const row_statistics&) = default;
};

/// What is known of a nested sequence's rows: what the program said in nest(), or all of it where
/// every row has the same length by construction.
template <typename S>
[[nodiscard]] constexpr row_statistics statistics_of_rows(const S& nested) {
  if constexpr (has_row_size<S>) {
    return {nested.row_size(), 0.0, nested.row_size() > 0 ? 0.0 : 1.0, longest_rows_fraction};
  } else if constexpr (requires { nested.rows.longest; }) {
    return nested.rows;
  } else {
    return {};
  }
}

}  // namespace fettle::ndp
