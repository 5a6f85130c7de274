// joined_parts: what is read of an input before a choice is made, such as the lengths of its rows,
// by as many threads as are worth it. Elements cost some nanoseconds each, about equally many.
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/disturbed_teams.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// part(0, i) op part(i, k) op ..., up to `count`. The calling thread begins and measures; a team
/// goes on where the rest takes longer than twice the time to start one.
template <team_like Team, typename Op, typename Part>
[[nodiscard]] auto joined_parts(index_t count, const Op& op, const Part& part) {
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  constexpr index_t first = 1024;
  const auto begun = clock::now();
  auto all = part(index_t{0}, std::min(count, first));
  if (count <= first) return all;
  const seconds each = seconds(clock::now() - begun) / static_cast<double>(first);
  const seconds rest = each * static_cast<double>(count - first);
  const typename Team::policy_type chosen;
  const Team at(chosen);
  const int threads = rest > 2 * least_team_start ? at.threads() : 1;
  if (threads == 1 || rest < 2 * team_start_now<Team>(threads)) return op(all, part(first, count));
  const auto started = clock::now();
  all = combined_parts<decltype(all)>(
      at, threads, count - first, op, all,
      [&](index_t begin, index_t end) { return part(first + begin, first + end); });
  notice_disturbance(clock::now() - started, rest / threads);
  return all;
}

}  // namespace fettle::ndp::host::detail
