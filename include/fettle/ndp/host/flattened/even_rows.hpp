// even_rows: map > map on equal tiles of rows and elements together, for the default rule.
//
// A tile is a range of steps on the merge path, and may begin and end inside a row: of a row of
// which every element is computed by itself, threads can take a part each. One long row among short
// ones then keeps all of them busy.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/flattened/merge_path.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A map whose rows' offsets are known and whose results are rows of elements. Of a row program a
/// row is one piece: each part would compute all that the row's elements need.
template <typename E>
concept evenly_cut = nested_node<E> && has_outer_shape_v<E> && elements_node<row_t<E>> &&
                     !nested_node<row_t<E>> && !ndp::detail::is_map_of_programs_v<E>;

/// What is done with the steps [begin, end) of the path, on one thread.
template <schedule::inner_schedule Schedule, evenly_cut E, typename D>
void steps_in_thread(const E& e, const D& destination, index_t begin, index_t end) {
  own_t<E> own = e;
  own_t<D> to = destination;
  const auto& shape = outer_shape(own);
  const path_tile tile{position_after(shape, begin), position_after(shape, end)};
  const auto part_of_row = [&](index_t i, index_t from, index_t until) {
    const row_t<E> row = own[i];
    const index_t length = shape.row_begin(i + 1) - shape.row_begin(i);
    elements_in_thread<inner_of_t<Schedule>>(row, destination_of(own, to, i, row),
                                             offset_in_source(from, length, row.size()),
                                             offset_in_source(until, length, row.size()), {});
  };
  index_t row = tile.first.row;
  if (tile.ends_open_row()) {
    part_of_row(row, tile.first.offset, shape.row_begin(row + 1) - shape.row_begin(row));
    ++row;
  }
  elements_in_thread<Schedule>(own, to, row, tile.last.row, {});
  if (tile.last.offset > tile.tail_begin()) {
    part_of_row(tile.last.row, tile.tail_begin(), tile.last.offset);
  }
}

/// The steps of map > map from `from` on into `destination`, on the threads of `at`, whose policy
/// divides them.
template <schedule::inner_schedule Schedule, team_like Team, evenly_cut E, typename D>
void rows_in_equal_tiles(const Team& at, const E& e, const D& destination, index_t from = 0) {
  const index_t steps = path_length(outer_shape(e)) - from;
  at.for_ranges(at.threads(), steps, [&](index_t begin, index_t end) {
    steps_in_thread<Schedule>(e, destination, from + begin, from + end);
  });
}

}  // namespace fettle::ndp::host::detail
