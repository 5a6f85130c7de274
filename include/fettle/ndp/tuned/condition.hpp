// condition: on which inputs a candidate may run. It is the candidate's constraint as a variant: on
// other inputs training leaves it out, and a call whose model chooses it runs by the default rule.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tuned/candidate.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Called with a pointer to the expression.
using erased_condition = bool (*)(const void* e);

/// None (a null pointer) where the candidate may run on all inputs.
template <typename E, platform_like Platform, typename Candidate>
[[nodiscard]] constexpr erased_condition condition_of() {
  using traits = platform_traits<Platform>;
  if constexpr (traits::is_restricted(Candidate::policy,
                                      schedule::nodes_v<typename Candidate::schedule_type>)) {
    return [](const void* e) { return traits::admits(*static_cast<const E*>(e)); };
  } else {
    return nullptr;
  }
}

}  // namespace fettle::ndp::detail
