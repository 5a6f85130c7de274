// flattened: map > reduce and map > scan on equal shares of rows and elements together.
//
// Each thread walks its shares of the merge path. Rows that lie in one share are done there. Of a
// row that is cut, each share leaves a partial result; they are combined in the rows' order
// afterwards, so the result does not depend on timing, and any associative operator will do.
#pragma once

#include <optional>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/openmp/flattened/cut_rows.hpp>
#include <fettle/ndp/openmp/flattened/merge_path.hpp>
#include <fettle/ndp/openmp/lanes/assign.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/lanes/serial_scan.hpp>
#include <fettle/ndp/openmp/rows/in_thread.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/own_first.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

namespace detail {

// What every thread has to know before it can begin, in one piece: the calling thread has just
// written it, and each line that leads to the next costs another wait for its processor.
template <flattenable E, typename D>
struct flattened_task {
  own_t<E> e;
  own_t<D> destination;
  own_first::dealer shares;
};

}  // namespace detail

/// map > reduce into `destination`, on the threads of `at`.
template <flattenable E, typename D>
  requires scalar_reduce_node<row_t<E>>
void reduce_flattened(const context& at, const E& e, const D& destination) {
  using lanes = schedule::independent<schedule::cooperative<>>;
  const index_t steps = path_length(outer_shape(e));
  const int threads = divide(at, steps).team;
  if (threads <= 1) {
    elements_in_thread<lanes>(e, destination, 0, e.size(), 0);
    return;
  }
  const own_first dealt(threads, shares_of_thread(steps, threads));
  const int parts = dealt.shares().count();
  detail::cut_shares<E> shares(parts);
  detail::cut_marks cut(parts);
  on_team(threads, [task = detail::flattened_task<E, D>{e, destination, dealt.shares()}, &shares,
                    &cut](team_member& member) {
    member.last_step([&] {
      own_t<E> own = task.e;
      own_t<D> own_destination = task.destination;
      shares_of_rows places(outer_shape(own), task.shares.count(), task.shares.threads());
      task.shares.deal(member, [&](int part) {
        const path_share place = places[part];
        index_t row = place.first.row;
        if (place.cuts_rows()) {
          cut.mark(part);
          auto& share = shares.fill(part, detail::cut_share<E>{place});
          if (place.ends_open_row()) {
            const detail::cut_row<E> open(own, row++);
            open.sum(place.first.offset, open.length(), share.head);
          }
          share.sum_tail(own);
        }
        elements_in_thread<lanes>(own, own_destination, row, place.last.row, 0);
      });
    });
  });
  if (!cut.any()) return;
  const auto finish = [&](const auto& share, const auto& carry) {
    if (!share.place.ends_open_row()) return;
    const index_t i = share.place.first.row;
    const row_t<E> row = e[i];
    auto value = static_cast<typename row_t<E>::value_type>(row.seed);
    if (carry) value = row.op(value, *carry);
    if (share.head) value = row.op(value, *share.head);
    store<element_t<D>>(destination[i], value);
  };
  detail::for_each_carry(e, parts, shares, [&](int part) { return cut[part]; }, finish);
}

/// map > scan into the rows of `destination`, on the threads of `at`.
template <flattenable E, typename D>
  requires scan_node<row_t<E>>
void scan_flattened(const context& at, const E& e, const D& destination) {
  using lanes = schedule::independent<schedule::cooperative<>>;
  const int parts = divide(at, path_length(outer_shape(e))).team;
  if (parts <= 1) {
    elements_in_thread<lanes>(e, destination, 0, e.size(), 0);
    return;
  }
  detail::cut_shares<E> shares(parts);
  on_team(parts, [&](team_member& member) {
    own_t<E> own = e;
    own_t<D> own_destination = destination;
    // First the ends of the shares, then, knowing where cut rows stand, everything.
    const bool all_well = member.step([&] {
      for (int part = member.thread(); part < parts; part += member.size()) {
        shares.fill(part, detail::cut_share<E>{share_of_path(outer_shape(own), part, parts)})
            .sum_tail(own);
      }
    });
    if (!all_well) return;
    const bool carried = member.step([&] {
      if (member.thread() != 0) return;
      detail::for_each_carry(
          own, parts, shares, [](int /*part*/) { return true; },
          [](auto& share, const auto& carry) { share.head = carry; });
    });
    if (!carried) return;
    member.last_step([&] {
      const auto scan_cut = [&](index_t row, index_t from, index_t to, const auto& carry) {
        const detail::cut_row<E> cut(own, row);
        const auto& node = cut.node();
        auto value = static_cast<typename row_t<E>::value_type>(node.seed);
        if (carry) value = node.op(value, *carry);
        scan_part(node.op, node.source, cut.place(from), cut.place(to), value,
                  place_of(own, own_destination, row, node));
      };
      for (int part = member.thread(); part < parts; part += member.size()) {
        const auto& share = shares[part];
        const path_share& place = share.place;
        index_t row = place.first.row;
        if (place.ends_open_row()) {
          scan_cut(row, place.first.offset,
                   outer_shape(own).row_begin(row + 1) - outer_shape(own).row_begin(row),
                   share.head);
          ++row;
        }
        elements_in_thread<lanes>(own, own_destination, row, place.last.row, 0);
        if (place.last.offset > place.tail_begin()) {
          const auto& carry = place.tail_begin() > 0 ? share.head : std::nullopt;
          scan_cut(place.last.row, place.tail_begin(), place.last.offset, carry);
        }
      }
    });
  });
}

}  // namespace fettle::ndp::openmp
