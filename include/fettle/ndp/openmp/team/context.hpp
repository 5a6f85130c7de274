// context: where in a nested computation a kernel is: at which level, and with how many threads
// for it and what is nested in it.
#pragma once

#include <algorithm>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// The parameters of the level that is being realised, and the threads that are left for it.
struct context {
  const policy* parameters;
  int threads;
  int level = 0;  // from 0

  [[nodiscard]] const openmp::level& here() const noexcept { return parameters->level[level]; }
  [[nodiscard]] context inner(int threads_left) const noexcept {
    return {parameters, threads_left, level + 1};
  }
  /// Which levels from this one on are to be unrolled: bit 0 is this one's.
  [[nodiscard]] unsigned unrolled() const noexcept {
    unsigned bits = 0;
    for (int i = 0; i < parameters->level.count; ++i) {
      if (parameters->level[level + i].enable_unroll) bits |= 1U << i;
    }
    return bits;
  }
};

/// How the threads of a context divide between the elements of its level and what is nested in
/// them.
struct division {
  int team;   // threads for this level
  int inner;  // threads for each of them to go on with
};

/// `count` elements that may be worked on in parallel. Nested regions never start more threads than
/// the policy names: half of them at most work on this level, in teams of equal size.
template <schedule::inner_schedule Inner = schedule::none>
[[nodiscard]] inline division divide(const context& at, index_t count) noexcept {
  if (at.threads <= 1 || at.here().resource == execution_resource::thread) return {1, at.threads};
  const int most = static_cast<int>(std::clamp<index_t>(count, 1, at.threads));
  if (!schedule::is_sequential_v<Inner> && at.parameters->enable_nesting &&
      at.parameters->level[at.level + 1].resource != execution_resource::thread) {
    const int team = std::min(most, std::max(at.threads / 2, 1));
    return {team, at.threads / team};
  }
  return {most, 1};
}

}  // namespace fettle::ndp::openmp
