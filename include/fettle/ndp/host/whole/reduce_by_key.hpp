// reduce_by_key: one segmented reduction by a team, parallel over elements, so that few keys, or
// one giant run, keep all threads busy.
//
// First each thread counts the runs that begin in its part, which tells where its results go and
// whether all of them fit; then it reduces them. A run that later parts continue is put together
// afterwards, in order.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/fold_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/serial_by_key.hpp>
#include <fettle/ndp/host/team/partial_results.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// The runs that begin in each of `parts` equal parts of the keys.
class run_counts {
 public:
  run_counts(index_t count, int parts) : count_(count), parts_(parts), runs_(parts) {}

  [[nodiscard]] index_t begin(int part) const noexcept { return part_begin(count_, part, parts_); }
  [[nodiscard]] index_t end(int part) const noexcept { return begin(part + 1); }

  template <typename K>
  void count(const K& keys, int part) {
    runs_[part].emplace(runs_begun(keys, begin(part), end(part)));
  }
  [[nodiscard]] index_t in(int part) noexcept { return *runs_[part]; }
  // The runs that begin before `part`.
  [[nodiscard]] index_t before(int part) noexcept {
    index_t sum = 0;
    for (int k = 0; k < part; ++k) sum += in(k);
    return sum;
  }

 private:
  index_t count_;
  int parts_;
  partial_results<index_t> runs_;
};

// reduce_part(part, first run, where the first run begins) on the team, after the runs are counted
// and are known to fit.
template <typename Team, typename E, typename D, typename ReducePart>
void reduce_parts(const Team& at, const E& e, const D& destination, int parts, run_counts& runs,
                  const ReducePart& reduce_part) {
  const auto count_runs = [&](int part) { runs.count(e.keys, part); };
  at.in_phases(parts, count_runs, [&](int part) {
    const index_t all = runs.before(parts);
    const index_t room = room_for_runs(e, destination);
    if (part == 0) set_count(destination, all);
    if (all > room) ndp::detail::throw_too_many_runs(room, all);
    index_t begin = runs.begin(part);
    const index_t end = runs.end(part);
    if (begin < end && !begins_run(e.keys, begin)) begin = run_end(e.keys, begin, end);
    reduce_part(part, runs.before(part), begin);
  });
}

/// Scalars by key into `destination`, on `parts` threads.
template <team_like Team, scalar_by_key_node E, typename D>
void reduce_by_key_on_team(const Team& at, const E& e, const D& destination, int parts) {
  using value_type = typename E::sum_type;
  run_counts runs(e.size(), parts);
  partial_results<value_type> head(parts);  // of the run that the part before left open
  partial_results<value_type> tail(parts);  // of the last run that begins in a part
  reduce_parts(at, e, destination, parts, runs, [&](int part, index_t run, index_t first) {
    own_t<E> own = e;
    own_t<D> own_destination = destination;
    const index_t end = runs.end(part);
    if (runs.begin(part) < first) {
      head[part].emplace(fold_part<value_type>(own.op, own.source, runs.begin(part), first));
    }
    const auto seed = static_cast<value_type>(own.seed);
    const index_t begun = runs.in(part);
    for (index_t k = 0; k + 1 < begun; ++k, ++run) {
      open_run(own, own_destination, run, first);
      close_run(own, own_destination, run,
                fold_run<false>(own.op, own.source, own.keys, first, end, seed));
    }
    if (begun > 0) {
      open_run(own, own_destination, run, first);
      tail[part].emplace(fold_part<value_type>(own.op, own.source, first, end));
    }
  });
  std::optional<value_type> open;
  index_t begun = 0;
  const auto close = [&] {
    if (!open) return;
    close_run(e, destination, begun - 1,
              static_cast<value_type>(e.op(static_cast<value_type>(e.seed), *open)));
  };
  for (int part = 0; part < parts; ++part) {
    if (head[part]) open.emplace(e.op(*open, *head[part]));
    if (runs.in(part) == 0) continue;
    close();
    open = tail[part];
    begun += runs.in(part);
  }
  close();
}

/// Rows by key into the rows of `destination`, on `parts` threads. They accumulate in the
/// destination; only what a part has of the run before it is kept aside, a row for each thread.
template <team_like Team, row_by_key_node E, typename D>
void reduce_rows_by_key_on_team(const Team& at, const E& e, const D& destination, int parts) {
  using row = decltype(row_of_run(e, destination, index_t{}));
  using value = typename row::value_type;
  const index_t length = e.seed.size();
  run_counts runs(e.size(), parts);
  const auto head = std::make_unique<value[]>(static_cast<std::size_t>(parts * length));
  const auto head_row = [&](int part) {
    return sequence<value>(head.get() + part * length, length);
  };
  reduce_parts(at, e, destination, parts, runs, [&](int part, index_t run, index_t first) {
    own_t<E> own = e;
    const index_t end = runs.end(part);
    for (index_t i = runs.begin(part); i < first; ++i) {
      if (i == runs.begin(part)) {
        assign(head_row(part), own.source[i], 0, length);
      } else {
        combine_columns(own.op, head_row(part), own.source[i], 0, length);
      }
    }
    while (first < end) {
      const index_t last = run_end(own.keys, first, end);
      fold_rows(own.op, own.source, first, last, own.seed, row_of_run(own, destination, run++), 0,
                length);
      first = last;
    }
  });
  index_t begun = 0;
  for (int part = 0; part < parts; ++part) {
    const index_t begin = runs.begin(part);
    if (begin < runs.end(part) && !begins_run(e.keys, begin)) {
      combine_columns(e.op, row_of_run(e, destination, begun - 1), head_row(part), 0, length);
    }
    begun += runs.in(part);
  }
}

/// Rows by key, each thread for its own columns of all of them.
template <team_like Team, row_by_key_node E, typename D>
void reduce_columns_by_key_on_team(const Team& at, const E& e, const D& destination) {
  const index_t length = e.seed.size();
  at.for_ranges(at.template divide<schedule::none>(length).team, length,
                [&](index_t begin, index_t end) { by_key_columns(e, destination, begin, end); });
}

}  // namespace fettle::ndp::host::detail
