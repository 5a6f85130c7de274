// fold_rows: reductions of rows to a row (reduce > map, reduce_by_key > map) on one thread.
//
// The operator takes two rows and returns a map over them, so a sum of points is a loop over points
// of loops over coordinates. The result accumulates in the destination itself: no temporary.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// row = row op source, for the columns [begin, end). Each column is read before it is written.
template <typename Op, typename Row, typename Source>
inline void combine_columns(const Op& op, const Row& row, const Source& source, index_t begin,
                            index_t end) {
  static_assert(std::is_invocable_v<const Op&, const Row&, const Source&>,
                "reduce > map, reduce_by_key > map: the operator has to take a row of the "
                "destination and a row of the source; write its parameters as templates (auto)");
  assign(row, op(row, source), begin, end);
}

/// row = seed op s[first] op ... op s[last - 1], for the columns [begin, end).
template <typename Op, typename S, typename P, typename Row>
inline void fold_rows(const Op& op, const S& s, index_t first, index_t last, const P& seed,
                      const Row& row, index_t begin, index_t end) {
  if (first == last) {
    assign(row, seed, begin, end);
    return;
  }
  assign(row, op(seed, s[first]), begin, end);
  for (index_t i = first + 1; i < last; ++i) combine_columns(op, row, s[i], begin, end);
}

}  // namespace fettle::ndp::host::detail
