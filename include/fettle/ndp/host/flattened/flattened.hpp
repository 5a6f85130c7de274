// flattened: map > reduce and map > scan on equal tiles of rows and elements together.
//
// Each thread walks its tiles of the merge path. Rows that lie in one tile are done there. Of a row
// that is cut, each tile leaves a partial result; these carries are combined in the rows' order
// afterwards, so the result does not depend on timing, and any associative operator will do.
#pragma once

#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/flattened/cut_rows.hpp>
#include <fettle/ndp/host/flattened/merge_path.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/serial_scan.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/team/work_stealing.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

using row_by_lanes = schedule::independent<schedule::cooperative<>>;

// What every thread has to know before it can begin, in one piece: the calling thread has just
// written it, and each line that leads to the next costs another wait for its processor.
template <flattenable E, typename D>
struct flattened_task {
  own_t<E> e;
  own_t<D> destination;
  int tiles;
  int threads;
};

/// map > reduce into `destination`, on the threads of `at`.
template <team_like Team, flattenable E, typename D>
  requires scalar_reduce_node<row_t<E>>
void reduce_flattened(const Team& at, const E& e, const D& destination) {
  const index_t steps = path_length(outer_shape(e));
  const int threads = at.template divide<schedule::none>(steps).team;
  if (threads <= 1) {
    elements_in_thread<row_by_lanes>(e, destination, 0, e.size(), {});
    return;
  }
  const int each = tiles_of_thread(steps, threads);
  const int count = threads * each;
  cut_tiles<E> tiles(count);
  cut_marks cut(count);
  at.for_tiles(threads, each,
               [task = flattened_task<E, D>{e, destination, count, threads}, &tiles,
                &cut](const auto& assigned) {
                 own_t<E> own = task.e;
                 own_t<D> own_destination = task.destination;
                 tiles_of_rows paths(outer_shape(own), task.tiles, task.threads);
                 assigned.for_each([&](int part) {
                   const path_tile path = paths[part];
                   index_t row = path.first.row;
                   if (path.cuts_rows()) {
                     cut.mark(part);
                     auto& tile = tiles.fill(part, cut_tile<E>{path});
                     if (path.ends_open_row()) {
                       const cut_row<E> open(own, row++);
                       open.sum(path.first.offset, open.length(), tile.head);
                     }
                     tile.sum_tail(own);
                   }
                   elements_in_thread<row_by_lanes>(own, own_destination, row, path.last.row, {});
                 });
               });
  if (!cut.any()) return;
  const auto finish = [&](const auto& tile, const auto& carry) {
    if (!tile.path.ends_open_row()) return;
    const index_t i = tile.path.first.row;
    const row_t<E> row = e[i];
    auto value = static_cast<typename row_t<E>::value_type>(row.seed);
    if (carry) value = row.op(value, *carry);
    if (tile.head) value = row.op(value, *tile.head);
    store<element_t<D>>(destination[i], value);
  };
  for_each_carry(e, count, tiles, [&](int part) { return cut[part]; }, finish);
}

/// map > scan into the rows of `destination`, on the threads of `at`: first the tails of the tiles,
/// then the carries between them, then, knowing where cut rows stand, everything.
template <team_like Team, flattenable E, typename D>
  requires scan_node<row_t<E>>
void scan_flattened(const Team& at, const E& e, const D& destination) {
  const int parts = at.template divide<schedule::none>(path_length(outer_shape(e))).team;
  if (parts <= 1) {
    elements_in_thread<row_by_lanes>(e, destination, 0, e.size(), {});
    return;
  }
  cut_tiles<E> tiles(parts);
  const auto sum_tails = [&](int part) {
    own_t<E> own = e;
    tiles.fill(part, cut_tile<E>{tile_of_path(outer_shape(own), part, parts)}).sum_tail(own);
  };
  const serial_phase carry_on{[&] {
    for_each_carry(
        e, parts, tiles, [](int /*part*/) { return true; },
        [](auto& tile, const auto& carry) { tile.head = carry; });
  }};
  at.in_phases(parts, sum_tails, carry_on, [&](int part) {
    own_t<E> own = e;
    own_t<D> own_destination = destination;
    const auto scan_cut = [&](index_t row, index_t from, index_t to, const auto& carry) {
      const cut_row<E> cut(own, row);
      const auto& node = cut.node();
      auto value = static_cast<typename row_t<E>::value_type>(node.seed);
      if (carry) value = node.op(value, *carry);
      scan_part<row_t<E>::is_inclusive>(node.op, node.source, cut.index(from), cut.index(to), value,
                                        destination_of(own, own_destination, row, node));
    };
    const auto& tile = tiles[part];
    const path_tile& path = tile.path;
    index_t row = path.first.row;
    if (path.ends_open_row()) {
      scan_cut(row, path.first.offset,
               outer_shape(own).row_begin(row + 1) - outer_shape(own).row_begin(row), tile.head);
      ++row;
    }
    elements_in_thread<row_by_lanes>(own, own_destination, row, path.last.row, {});
    if (path.last.offset > path.tail_begin()) {
      const auto& carry = path.tail_begin() > 0 ? tile.head : std::nullopt;
      scan_cut(path.last.row, path.tail_begin(), path.last.offset, carry);
    }
  });
}

}  // namespace fettle::ndp::host::detail
