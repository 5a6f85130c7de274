// candidate, candidate_list and tuned_computation: what a generated header (docs/formats.md) says
// of a computation that was tuned.
//
//   template <>
//   struct fettle::ndp::tuned_computation<"spmv", fettle::ndp::platform::openmp> {
//     using tuning_policy = fettle::tuning_policies::spmv_openmp;
//     using candidates = fettle::ndp::candidate_list<fettle::ndp::candidate<
//         fettle::ndp::schedule::flattened<>, fettle::ndp::openmp::policy{.num_threads = 2}>>;
//     template <typename E>
//     static constexpr void check() { static_assert(fettle::ndp::signature_v<E> == "...", "..."); }
//   };
//
// With a bound on the error of approximate candidates, those whose policies set knobs, it has two
// members more: `using quality = fettle::ndp::relative_norm` and `static constexpr double bound`.
//
// execute<"spmv">(...) then chooses among the platform's default rule and the candidates, by the
// model of the tuning policy's function. Where the list is empty the default rule runs always: no
// model is loaded, no feature evaluated.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// One implementation of a computation: a schedule and a policy.
template <schedule::schedule_like Schedule, auto Policy>
  requires policy_like<std::remove_cvref_t<decltype(Policy)>>
struct candidate {
  using schedule_type = Schedule;
  using policy_type = std::remove_cvref_t<decltype(Policy)>;
  static constexpr policy_type policy = Policy;

  /// The name of the variant: "independent>cooperative block_size_x=128 2.resource=warp"; the
  /// schedule alone where the policy is all defaults.
  [[nodiscard]] static std::string name() {
    std::string out(schedule::to_string<Schedule>());
    const std::string parameters = to_string(policy_type(policy));
    if (!parameters.empty()) out += ' ' + parameters;
    return out;
  }
};

/// Candidates in their order, which is that of the variants after the default.
template <typename... Candidate>
struct candidate_list {};

/// The default rule's name among the variants.
inline constexpr std::string_view default_variant = "default";

/// Specialised by a generated header for each computation and platform that were tuned; everything
/// else runs by the default rule.
template <fixed_string Name, typename Platform>
struct tuned_computation;

template <fixed_string Name, typename Platform>
inline constexpr bool is_tuned_v =
    requires { typename tuned_computation<Name, Platform>::candidates; };

}  // namespace fettle::ndp
