// gathered_rows: reductions of rows on one thread by a processor's gathers, row by row.
//
// A row of any length is a few whole vectors and a masked one: short rows need no loop of their
// own, whose end the processor would guess wrong where lengths are mixed.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <scalar_reduce_node Row>
inline constexpr bool gathers_row_v =
    gathered_lanes<std::remove_cvref_t<decltype(Row::op)>,
                   std::remove_cvref_t<decltype(Row::source)>, typename Row::value_type>;

/// A map whose elements are reductions that vectors can gather. Whether they should, gathers_fast()
/// says.
template <typename E>
concept gathered_rows_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> && gathers_row_v<row_t<E>>;

/// The rows [begin, end) of `e`, in any order within a row.
template <gathered_rows_node E, typename D>
[[gnu::noinline]] void reduce_gathered_rows(const E& e, const D& destination, index_t begin,
                                            index_t end) {
  own_t<E> own = e;
  own_t<D> to = destination;
  for (index_t i = begin; i < end; ++i) {
    const row_t<E> row = own[i];
    const auto seed = static_cast<typename row_t<E>::value_type>(row.seed);
    store<element_t<D>>(to[i], fold_gathered(row.op, row.source, 0, row.source.size(), seed));
  }
}

}  // namespace fettle::ndp::host::detail
