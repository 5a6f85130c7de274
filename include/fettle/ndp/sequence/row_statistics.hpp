// row_statistics: what a program knows of its rows' lengths without Fettle having to read them.
//
//   auto rows = ndp::nest(values, offsets, {.longest = 31});
//
// They only help the default rules choose: a wrong figure costs time, never correctness.
#pragma once

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::ndp {

/// Negative: not known.
struct row_statistics {
  index_t longest = -1;   // elements of the longest row
  double variation = -1;  // of the rows' lengths: standard deviation / mean

  [[nodiscard]] friend constexpr bool operator==(const row_statistics&,
                                                 const row_statistics&) = default;
};

/// What is known of a nested sequence's rows: what the program said in nest(), or all of it where
/// every row has the same length by construction.
template <typename S>
[[nodiscard]] constexpr row_statistics statistics_of_rows(const S& nested) {
  if constexpr (has_row_size<S>) {
    return {nested.row_size(), 0.0};
  } else if constexpr (requires { nested.rows.longest; }) {
    return nested.rows;
  } else {
    return {};
  }
}

}  // namespace fettle::ndp
