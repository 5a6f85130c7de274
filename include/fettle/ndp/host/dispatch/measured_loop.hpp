// measured_loop: elements of a user's function, which may be expensive or not.
//
//   | known from the last time               | who begins                                        |
//   |----------------------------------------|---------------------------------------------------|
//   | nothing, or a team that sleeps would   | the calling thread, until it knows that the rest  |
//   | be woken                               | takes longer than starting a team                 |
//   | it takes less than starting a team     | the calling thread, which looks whether it does   |
//   | it takes longer                        | a team; where teams are disturbed now, the        |
//   |                                        | calling thread, which measures it anew, unless an |
//   |                                        | element alone takes longer than starting a team   |
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/disturbed_teams.hpp>
#include <fettle/ndp/host/dispatch/head_start.hpp>
#include <fettle/ndp/host/dispatch/measured_cost.hpp>
#include <fettle/ndp/host/dispatch/shared_loop.hpp>
#include <fettle/ndp/host/team/team_like.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether a team begins at once, because elements are known to be expensive. Where the start of a
/// team takes long, the first ones are looked at before, if neither one nor all of them take much
/// longer.
[[nodiscard]] inline bool begins_at_once(head_start::seconds all, head_start::seconds each,
                                         head_start::seconds start) noexcept {
  constexpr head_start::seconds soon = std::chrono::microseconds(5);
  return all > 2 * start && (start < soon || each > start || all > 10 * start);
}

/// What the calling thread does of a loop before a team goes on with the rest; all of it, if the
/// team is not worth its start. 0 where that is known.
template <team_like Team, typename Work>
[[nodiscard]] head_start begin_measured(index_t count, int threads, measured_cost& cost,
                                        const Work& work) {
  const head_start::seconds known = cost.each();
  const head_start::seconds all = known * static_cast<double>(count);
  const bool may_be_worth = all > 2 * least_team_start;
  head_start::seconds start = may_be_worth ? team_start_now<Team>(threads) : least_team_start;
  head_start slower;
  if (known.count() > 0) {
    const bool may_begin = known > start || !are_teams_disturbed();
    if (may_begin && begins_at_once(all, known, start)) return {0, known};
    if (all <= 2 * start) slower = do_as_known(count, work, known);
    if (slower.done == count) {
      cost.learn(slower.each);
      return slower;
    }
  }
  if (!may_be_worth) start = team_start_now<Team>(threads);
  const index_t done = slower.done;
  const index_t rest = count - done;
  head_start begun =
      slower.each > start && rest > 1
          ? head_start{0, slower.each}
          : start_alone(
                rest, [&](index_t begin, index_t end) { work(done + begin, done + end); }, start);
  begun.done += done;
  cost.learn(begun.each);
  return begun;
}

/// What a team goes on with that does not measure itself: work() on `count` elements.
template <typename Work>
auto measured_whole(index_t count, int threads, measured_cost& cost, const Work& work) {
  using clock = std::chrono::steady_clock;
  const auto begun = clock::now();
  auto result = work();
  const head_start::seconds took = clock::now() - begun;
  const double each_thread = static_cast<double>(count) / threads;
  if (notice_disturbance(took, cost.each() * each_thread)) return result;  // says nothing of work
  const head_start::seconds busy = std::max(took - least_team_start, took / 4);
  cost.learn(busy / each_thread);
  return result;
}

/// work(begin, end) for ranges that are [0, count) together, by as many threads as are worth it, up
/// to `threads`.
template <team_like Team, typename Work>
void for_measured(index_t count, int threads, measured_cost& cost, const Work& work) {
  const head_start begun = begin_measured<Team>(count, threads, cost, work);
  if (begun.done == count) return;
  const typename Team::policy_type chosen;
  const index_t rest = count - begun.done;
  const auto started = std::chrono::steady_clock::now();
  const head_start::seconds each =
      for_shared(Team(chosen), threads, rest, begun.each,
                 [&](index_t begin, index_t end) { work(begun.done + begin, begun.done + end); });
  const head_start::seconds took = std::chrono::steady_clock::now() - started;
  notice_disturbance(took, std::max(begun.each, each) * static_cast<double>(rest) / threads);
  cost.learn(each);
}

}  // namespace fettle::ndp::host::detail
