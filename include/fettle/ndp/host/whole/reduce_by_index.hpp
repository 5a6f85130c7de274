// reduce_by_index by a team: each part of the elements has separate bins, which are combined in
// the order of the parts, so operators need not commute. Where there are many bins, fewer threads
// than there are have some.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/rows/narrower_bins.hpp>
#include <fettle/ndp/host/rows/serial_by_index.hpp>
#include <fettle/ndp/host/team/partial_results.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/bin_ranges.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// On the threads of `at`.
template <team_like Team, by_index_node E, typename D>
void reduce_by_index_on_team(const Team& at, const E& e, const D& destination) {
  using value_type = typename E::value_type;
  const index_t count = e.source.size();
  const index_t worthwhile = std::max<index_t>(count / std::max<index_t>(e.bins, 1), 1);
  const int threads = at.template divide<schedule::none>(count).team;
  if constexpr (std::is_same_v<D, sequence<value_type>>) {
    if (has_bin_ranges(count, e.bins, sizeof(value_type)) && threads > worthwhile) {
      return reduce_by_bin_ranges(at, e, destination, threads);
    }
  }
  const int parts = static_cast<int>(std::min<index_t>(threads, worthwhile));
  if constexpr (has_part_bins_v<E>) {
    if (parts > 1) {
      partial_results<part_bins<E>> bins(parts);
      const auto fill = [&](int part) {
        own_t<E> own = e;
        part_bins<E> mine(own, count / parts);
        mine.add(own, part_begin(count, part, parts), part_begin(count, part + 1, parts));
        bins[part].emplace(std::move(mine));
      };
      at.in_phases(parts, fill, [&](int part) {
        own_t<E> own = e;
        for (index_t b = part_begin(own.bins, part, parts);
             b < part_begin(own.bins, part + 1, parts); ++b) {
          auto value = static_cast<value_type>(own.seed);
          for (int k = 0; k < parts; ++k) value = bins[k]->appended(own, value, b);
          store<element_t<D>>(destination[b], value);
        }
      });
      return;
    }
  }
  reduce_by_index_in_thread(e, destination);
}

/// Sums of whole numbers into narrower ones, as these.
template <team_like Team, by_index_node E, typename D>
  requires sums_as_narrower_v<E, D>
void reduce_by_index_on_team(const Team& at, const E& e, const D& destination) {
  add_as_narrower(e, destination, [&](const auto& narrower, const auto& to) {
    reduce_by_index_on_team(at, narrower, to);
  });
}

}  // namespace fettle::ndp::host::detail
