// select: filter, partition and unique by a team.
//
// filter and unique are a chained scan of counts, as scan.hpp's of sums: a thread collects what it
// keeps of its piece in a buffer in its cache, learns from the thread of the piece before where
// that goes, publishes where the next one's goes, and copies the buffer. So elements are read and
// the function is called once, and a filter may overwrite its source: what comes before a piece has
// been read by then. A partition counts first, because the others go behind all that are kept.
#pragma once

#include <algorithm>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/rows/serial_select.hpp>
#include <fettle/ndp/host/team/partial_results.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/scan.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <team_like Team, selection_node E, typename D>
[[nodiscard]] index_t filter_on_team(const Team& at, const E& e, const D& destination,
                                     int threads) {
  using T = typename E::value_type;
  const index_t count = e.size();
  const index_t piece = scan_piece<T>(at.grain(), count, threads);
  sum_chain<index_t> chain(threads);
  index_t results = 0;
  at.in_order(threads, ceiling_quotient(count, piece), [&](auto& turns) {
    own_t<E> own = e;
    own_t<D> to = destination;
    kept_elements<T> kept(piece);
    for (index_t k = 0; turns.next(k);) {
      const index_t first = k * piece;
      const index_t last = std::min(first + piece, count);
      const index_t found = kept.fill(own, first, last);
      std::optional<index_t> before = 0;
      if (k > 0) before = chain.wait_for(k - 1, turns);
      if (!before) return;
      if (last < count) {
        chain.publish(k, *before + found);
      } else {
        results = *before + found;
      }
      kept.copy_to(to, *before, found);
    }
  });
  return results;
}

template <team_like Team, selection_node E, typename D>
[[nodiscard]] index_t partition_on_team(const Team& at, const E& e, const D& destination,
                                        int parts) {
  const index_t count = e.size();
  partial_results<index_t> kept(parts);
  const auto kept_before = [&](int end) {
    index_t sum = 0;
    for (int part = 0; part < end; ++part) sum += *kept[part];
    return sum;
  };
  const auto count_part = [&](int part) {
    own_t<E> own = e;
    kept[part].emplace(
        count_kept(own, part_begin(count, part, parts), part_begin(count, part + 1, parts)));
  };
  at.in_phases(parts, count_part, [&](int part) {
    own_t<E> own = e;
    own_t<D> to = destination;
    const index_t first = part_begin(count, part, parts);
    const index_t before = kept_before(part);
    partition_part<false>(own, to, first, part_begin(count, part + 1, parts), before,
                          kept_before(parts) + first - before);
  });
  return kept_before(parts);
}

/// The selection `e` into `destination`, on the threads of `at`.
template <team_like Team, selection_node E, typename D>
void select_on_team(const Team& at, const E& e, const D& destination) {
  const int threads = at.template divide<schedule::none>(e.size()).team;
  if (threads <= 1) {
    select_in_thread(e, destination);
  } else if constexpr (E::is_partition) {
    finish_selection(e, destination, partition_on_team(at, e, destination, threads));
  } else {
    finish_selection(e, destination, filter_on_team(at, e, destination, threads));
  }
}

}  // namespace fettle::ndp::host::detail
