// flattened: map > reduce and map > scan on equal shares of rows and elements together.
//
// Each thread walks its shares of the merge path. Rows that lie in one share are done there. Of a
// row that is cut, each share leaves a partial result; they are combined in the rows' order
// afterwards, so the result does not depend on timing, and any associative operator will do.
#pragma once

#include <atomic>
#include <optional>
#include <type_traits>

#include <fettle/ndp/destination.hpp>
#include <fettle/ndp/openmp/assign.hpp>
#include <fettle/ndp/openmp/context.hpp>
#include <fettle/ndp/openmp/cooperative_reduce.hpp>
#include <fettle/ndp/openmp/fold.hpp>
#include <fettle/ndp/openmp/in_thread.hpp>
#include <fettle/ndp/openmp/merge_path.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/openmp/own_first.hpp>
#include <fettle/ndp/openmp/serial_scan.hpp>
#include <fettle/ndp/openmp/slots.hpp>
#include <fettle/ndp/openmp/team.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/store.hpp>

namespace fettle::ndp::openmp {

/// A map whose rows' places are known and whose elements are reductions or scans that can be cut.
template <typename E>
concept flattenable = nested_node<E> && has_outer_shape_v<E> && detail::splits_v<row_t<E>> &&
    (scalar_reduce_node<row_t<E>> || scan_node<row_t<E>>);

namespace detail {

// A row's source and its operator, from `offset` places in the shape to another.
template <flattenable E>
class cut_row {
 public:
  using value_type = typename row_t<E>::value_type;

  cut_row(const E& e, index_t row)
      : node_(e[row]), length_(outer_shape(e).row_begin(row + 1) - outer_shape(e).row_begin(row)) {}

  [[nodiscard]] const row_t<E>& node() const noexcept { return node_; }
  [[nodiscard]] index_t length() const noexcept { return length_; }
  [[nodiscard]] index_t place(index_t offset) const {
    return offset_in_source(offset, length_, node_.source.size());
  }
  // The elements between two offsets, combined; nothing where there are none.
  void sum(index_t from, index_t to, std::optional<value_type>& out) const {
    const index_t first = place(from);
    const index_t last = place(to);
    if (first < last) out.emplace(fold_part<value_type>(node_.op, node_.source, first, last));
  }

 private:
  row_t<E> node_;
  index_t length_;
};

template <typename Op, typename T>
void append(const Op& op, std::optional<T>& sum, const std::optional<T>& next) {
  if (!next) return;
  if (sum) {
    sum.emplace(op(*sum, *next));
  } else {
    sum.emplace(*next);
  }
}

// A share, and what it knows of the rows that are cut. Where shares begin is looked for once, by
// the threads that work on them.
template <flattenable E>
struct cut_share {
  using value_type = typename row_t<E>::value_type;

  path_share place;
  std::optional<value_type> head{};  // the end of a row that an earlier share began
  std::optional<value_type> tail{};  // of the row that the share leaves unfinished

  // The tail: the part of row place.last.row that lies in the share.
  void sum_tail(const E& e) {
    if (place.last.offset <= place.tail_begin()) return;
    cut_row<E>(e, place.last.row).sum(place.tail_begin(), place.last.offset, tail);
  }
};

template <flattenable E>
using cut_shares = filled_slots<cut_share<E>>;

// What every thread has to know before it can begin, in one piece: the calling thread has just
// written it, and each line that leads to the next costs another wait for its processor.
template <flattenable E, typename D>
struct flattened_task {
  own_t<E> e;
  own_t<D> destination;
  int threads;
  int parts;
};

// Calls finish(share, carry) in order for each share that begins inside a row, with what the
// earlier shares have of that row.
template <flattenable E, typename Finish>
void for_each_carry(const E& e, int parts, cut_shares<E>& shares, const Finish& finish) {
  std::optional<typename row_t<E>::value_type> carry;
  for (int part = 0; part < parts; ++part) {
    cut_share<E>& share = shares[part];
    const path_share& place = share.place;
    if (place.first.offset > 0) finish(share, carry);
    if (place.last.row > place.first.row) {
      carry = share.tail;
    } else if (share.tail) {
      append(e[place.last.row].op, carry, share.tail);
    }
  }
}

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
  own_first dealt(threads, shares_of_thread(steps, threads));
  const int parts = dealt.count();
  detail::cut_shares<E> shares(parts);
  // What other threads wrote takes time to read: seldom, because few rows are cut.
  std::atomic<bool> rows_are_cut{false};
  const detail::flattened_task<E, D> task{e, destination, threads, parts};
  on_team(threads, [task, &dealt, &shares, &rows_are_cut](team_member& member) {
    member.last_step([&] {
      own_t<E> own = task.e;
      own_t<D> own_destination = task.destination;
      shares_of_rows places(outer_shape(own), task.parts, task.threads);
      dealt.deal(member, [&](int part) {
        const path_share place = places[part];
        index_t row = place.first.row;
        auto& share = shares.fill(part, detail::cut_share<E>{place});
        if (place.cuts_rows()) {
          rows_are_cut.store(true, std::memory_order_relaxed);
          if (place.ends_open_row()) {
            const detail::cut_row<E> cut(own, row++);
            cut.sum(place.first.offset, cut.length(), share.head);
          }
          share.sum_tail(own);
        }
        elements_in_thread<lanes>(own, own_destination, row, place.last.row, 0);
      });
    });
  });
  if (!rows_are_cut.load(std::memory_order_relaxed)) return;
  detail::for_each_carry(e, parts, shares, [&](const auto& share, const auto& carry) {
    if (!share.place.ends_open_row()) return;
    const index_t i = share.place.first.row;
    const row_t<E> row = e[i];
    auto value = static_cast<typename row_t<E>::value_type>(row.seed);
    if (carry) value = row.op(value, *carry);
    if (share.head) value = row.op(value, *share.head);
    store<element_t<D>>(destination[i], value);
  });
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
      detail::for_each_carry(own, parts, shares,
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
