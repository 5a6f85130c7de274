// even_rows: map > map on equal shares of rows and elements together, for the default rule.
//
// A share is a range of steps on the merge path, and may begin and end inside a row: of a row of
// which every element is computed by itself, threads can take a part each. One long row among short
// ones then keeps all of them busy.
#pragma once

#include <algorithm>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/flattened/merge_path.hpp>
#include <fettle/ndp/openmp/lanes/assign.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/rows/in_thread.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/deal.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// A map whose rows' places are known and whose results are rows of elements.
template <typename E>
concept evenly_cut =
    nested_node<E> && has_outer_shape_v<E> && elements_node<row_t<E>> && !nested_node<row_t<E>>;

namespace detail {

/// What is done with the steps [begin, end) of the path, on one thread.
template <schedule::inner_schedule Schedule, evenly_cut E, typename D>
void steps_in_thread(const E& e, const D& destination, index_t begin, index_t end) {
  own_t<E> own = e;
  own_t<D> to = destination;
  const auto& shape = outer_shape(own);
  const path_share share{position_after(shape, begin), position_after(shape, end)};
  const auto part_of_row = [&](index_t i, index_t from, index_t until) {
    const row_t<E> row = own[i];
    const index_t length = shape.row_begin(i + 1) - shape.row_begin(i);
    elements_in_thread<inner_of_t<Schedule>>(row, place_of(own, to, i, row),
                                             offset_in_source(from, length, row.size()),
                                             offset_in_source(until, length, row.size()), 0);
  };
  index_t row = share.first.row;
  if (share.ends_open_row()) {
    part_of_row(row, share.first.offset, shape.row_begin(row + 1) - shape.row_begin(row));
    ++row;
  }
  elements_in_thread<Schedule>(own, to, row, share.last.row, 0);
  if (share.last.offset > share.tail_begin()) {
    part_of_row(share.last.row, share.tail_begin(), share.last.offset);
  }
}

}  // namespace detail

/// map > map into `destination`, on the threads of `at`; its policy deals steps.
template <schedule::inner_schedule Schedule, evenly_cut E, typename D>
void rows_in_even_shares(const context& at, const E& e, const D& destination) {
  deal_state state;
  on_team(at.threads, [&](team_member& member) {
    member.last_step([&] {
      deal(at.here().schedule, at.here().chunk_size, path_length(outer_shape(e)), member, state,
           [&](index_t begin, index_t end) {
             detail::steps_in_thread<Schedule>(e, destination, begin, end);
           });
    });
  });
}

/// How the default rule deals steps: equal shares, or, where some elements may take longer than
/// others, chunks in turn.
[[nodiscard]] inline policy steps_dealt(index_t steps, bool cheap, int threads) {
  policy chosen;
  if (cheap) return chosen;
  constexpr index_t most = std::numeric_limits<int>::max();
  const index_t chunk = std::clamp<index_t>(steps / (index_t{64} * threads), 1, most);
  chosen.level.first.schedule = omp_schedule::dynamic;
  chosen.level.first.chunk_size = static_cast<int>(chunk);
  return chosen;
}

}  // namespace fettle::ndp::openmp
