// condition: on which inputs a candidate may run. It is the candidate's constraint as a variant: on
// other inputs training leaves it out, and a call whose model chooses it runs by the default rule.
//
// On OpenMP a team is for inputs that the default rule would give one at once: on fewer elements, a
// busy machine makes a thread that is waited for a thousand times slower than all of the work. On
// CUDA one thread or one block alone does only what is so little that launching it is all that
// counts: beyond that it takes seconds where others take microseconds, which would spoil training,
// and a program whose model errs.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/dispatch/default_rule.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/features.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Elements and rows that one thread or block of a GPU does alone.
inline constexpr index_t most_work_alone = index_t{1} << 19;

template <typename E>
[[nodiscard]] bool is_little_work(const E& e) {
  return elements_going_in(e) + featured_input(e).size() <= most_work_alone;
}

/// Called with a pointer to the expression.
using erased_condition = bool (*)(const void* e);

/// None (a null pointer) where the candidate may run on all inputs.
template <typename E, platform_like Platform, typename Candidate>
[[nodiscard]] constexpr erased_condition condition_of() {
  constexpr schedule::nodes nodes = schedule::nodes_v<typename Candidate::schedule_type>;
  if constexpr (Platform::name == "cuda") {
    if constexpr (nodes[0] == schedule::kind::sequential) {
      return [](const void* e) { return is_little_work(*static_cast<const E*>(e)); };
    }
  } else if constexpr (openmp::takes_team(Candidate::policy, nodes)) {
    return [](const void* e) { return openmp::is_worth_team(*static_cast<const E*>(e)); };
  }
  return nullptr;
}

}  // namespace fettle::ndp::detail
