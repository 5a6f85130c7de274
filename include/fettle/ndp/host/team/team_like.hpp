// team_like: what the kernels ask of a team, which is the threads that a platform has for one level
// of a nested computation, with the policy that says how they divide the work. How threads are
// started, fed and waited for is the platform's own part; all kernels are in terms of this.
//
// Beside what the concept checks, a team has these members. All of them return when the work is
// done, and throw what it threw first.
//   within(policy, work)           static: work(), where teams with the policy have their threads
//   divide<Inner>(count)           how its threads divide between `count` elements and what the
//                                  schedule Inner does in each
//   for_split(threads, grain, count, take)   take(begin, end) for ranges that are [0, count)
//                                  together, of `grain` elements where the policy says nothing
//                                  else; level_of derives for_ranges and for_parts from it
//   for_tiles(threads, each, body)     body(assigned) on each thread, where assigned.for_each(take)
//                                  calls take(tile) for some of `threads` times `each` tiles;
//                                  threads that are done take tiles from others
//   in_order(threads, pieces, body)    body(turns) on each thread, where turns.next(k) yields
//   pieces
//                                  in ascending order; a thread may wait for pieces before its own,
//                                  as long as turns.failed() is false
//   in_phases(parts, phases...)    each phase(part) for all parts, after all of the phase before; a
//                                  serial_phase on one thread
//   in_rounds(threads, rounds, work, finish)   for each round work(round, part) for each thread's
//                                  part, then finish(round) on one thread, which ends before work
//                                  of the next round but one begins
#pragma once

#include <chrono>
#include <concepts>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/team/unroll.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename T>
concept team_like = std::copyable<T> && requires(const T& at, const typename T::policy_type& policy,
                                                 index_t count, int threads) {
  { T(policy) };                            // for a whole computation
  { T::available() } -> std::same_as<int>;  // threads, where the policy does not say it
  { T::start_time(threads) } -> std::same_as<std::chrono::duration<double>>;  // if started now
  { at.threads() } -> std::same_as<int>;
  { at.inner(threads) } -> std::same_as<T>;  // the level below
  { at.unrolled() } -> std::same_as<unroll_factors>;
  { at.grain() } -> std::same_as<index_t>;  // elements at a time; 0: the kernel's choice
  { at.parts_of(count, threads) } -> std::same_as<index_t>;  // for partial results
};

/// About how long it takes to wake a team whose threads sleep.
inline constexpr std::chrono::duration<double> team_start = std::chrono::microseconds(20);

/// Less than any team takes to start, also one whose threads are awake.
inline constexpr std::chrono::duration<double> least_team_start = std::chrono::microseconds(1);

/// A phase that one thread performs: phase().
template <typename Work>
struct serial_phase {
  Work work;
  void operator()() const { work(); }
};
template <typename Work>
serial_phase(Work) -> serial_phase<Work>;

template <typename Phase>
inline constexpr bool is_serial_phase_v = false;
template <typename Work>
inline constexpr bool is_serial_phase_v<serial_phase<Work>> = true;

}  // namespace fettle::ndp::host::detail
