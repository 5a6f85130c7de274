// disturbed_teams: whether another program has just kept a team of this thread waiting for a
// processor. Such a team takes milliseconds, a time slice, in place of microseconds, and so does
// the next one: for a while, work that the calling thread does sooner is not given to teams whose
// threads seem awake. Only how a computation is divided depends on it, never its result.
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/team/team_like.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

inline thread_local constinit std::chrono::steady_clock::time_point disturbed_until{};

[[nodiscard]] inline bool are_teams_disturbed() noexcept {
  return std::chrono::steady_clock::now() < disturbed_until;
}

/// About how long a team takes to start now.
template <typename Team>
[[nodiscard]] std::chrono::duration<double> team_start_now(int threads) {
  const std::chrono::duration<double> start = Team::start_time(threads);
  if (start < team_start && are_teams_disturbed()) return team_start;
  return start;
}

/// Remembers and returns whether a team that has ended now was disturbed: it took far longer than a
/// thread's share of the work, as far as that is known. Then teams are avoided for fifty times the
/// time that was lost, a second at most: the work may have become more, too.
inline bool notice_disturbance(std::chrono::duration<double> took,
                               std::chrono::duration<double> expected) noexcept {
  constexpr std::chrono::microseconds half_a_slice{500};
  constexpr std::chrono::duration<double> longest{1.0};
  const std::chrono::duration<double> lost = took - 4 * expected;
  if (expected.count() <= 0 || lost < half_a_slice) return false;
  using clock = std::chrono::steady_clock;
  disturbed_until =
      clock::now() + std::chrono::duration_cast<clock::duration>(std::min(50 * lost, longest));
  return true;
}

}  // namespace fettle::ndp::host::detail
