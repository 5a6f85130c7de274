// One call of a computation in the three forms that execute() has, behind one function: into a
// destination, as a value, or as an update of memory. And the same with the types erased, which is
// how candidates are kept: one function for all policies of a schedule where the platform reads
// policies at run time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/run_with_knobs.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/condition.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The destination of a reduce whose value is returned.
template <typename T>
struct returned_value {
  std::optional<T>* value;
};

template <typename D>
inline constexpr bool is_returned_value_v = false;
template <typename T>
inline constexpr bool is_returned_value_v<returned_value<T>> = true;

/// What introspection calls the three forms.
template <typename D>
[[nodiscard]] constexpr std::string_view form_name() noexcept {
  return is_returned_value_v<D>              ? "value"
         : std::is_same_v<D, no_destination> ? "update"
                                             : "destination";
}

namespace detail {

/// By the default rule.
template <typename Platform, typename E, typename D>
void realise_default(const Platform& on, const computation& named, const E& e,
                     const D& destination) {
  if constexpr (is_returned_value_v<D>) {
    destination.value->emplace(platform_traits<Platform>::value(on, named, e));
  } else {
    platform_traits<Platform>::run_default(on, named, e, destination);
  }
}

/// By a schedule and policy, whose knobs are K.
template <knobs K, typename Platform, typename E, typename D, typename Schedule, typename Policy>
void realise_by_hand(const Platform& on, const computation& named, const E& e, const D& destination,
                     Schedule schedule, const Policy& policy) {
  if constexpr (is_returned_value_v<D>) {
    destination.value->emplace(value_with_knobs<K>(on, named, e, schedule, policy));
  } else {
    run_with_knobs<K>(on, named, e, destination, schedule, policy);
  }
}

/// Called with pointers to E, D, Platform and the policy.
using erased_call = void (*)(const void* e, const void* destination, const void* on,
                             const void* policy);

template <fixed_string Name, typename E, typename D, typename Platform>
void call_default(const void* e, const void* destination, const void* on, const void* /*policy*/) {
  realise_default(*static_cast<const Platform*>(on), named<Name>(), *static_cast<const E*>(e),
                  *static_cast<const D*>(destination));
}

/// `Policy` is read, or holds the policy in its type; its knobs K are always in a type.
template <fixed_string Name, typename E, typename D, typename Platform, typename Schedule,
          typename Policy, knobs K>
void call_by_hand(const void* e, const void* destination, const void* on, const void* policy) {
  const auto run = [&](const auto& parameters) {
    realise_by_hand<K>(*static_cast<const Platform*>(on), named<Name>(), *static_cast<const E*>(e),
                       *static_cast<const D*>(destination), Schedule{}, parameters);
  };
  if constexpr (constant_policy<Policy>) {
    run(Policy{});
  } else {
    run(*static_cast<const Policy*>(policy));
  }
}

/// An implementation of a computation with the types erased.
struct erased_implementation {
  std::string name;
  erased_call call = nullptr;
  const void* policy = nullptr;
  erased_condition condition = nullptr;
  bool is_approximate = false;
};

template <fixed_string Name, typename E, typename D, typename Platform, typename Candidate>
[[nodiscard]] erased_implementation implementation_of() {
  using schedule = typename Candidate::schedule_type;
  using compiled_in = constant<Candidate::policy>;
  if constexpr (check_by_hand<schedule, compiled_in, E, Platform>()) {
    constexpr bool reads_policies =
        !constant_policy<typename platform_traits<Platform>::default_policy>;
    using policy = std::conditional_t<reads_policies, typename Candidate::policy_type, compiled_in>;
    constexpr knobs its = knobs_of(Candidate::policy);
    return {Candidate::name(), &call_by_hand<Name, E, D, Platform, schedule, policy, its>,
            &Candidate::policy, condition_of<E, Platform, Candidate>(), !its.are_exact()};
  } else {
    return {};
  }
}

/// Calls visit(erased_implementation) for each candidate, in their order.
template <fixed_string Name, typename E, typename D, typename Platform, typename Visit,
          typename... Candidate>
void for_each_implementation(Visit&& visit, candidate_list<Candidate...> /*all*/) {
  (visit(implementation_of<Name, E, D, Platform, Candidate>()), ...);
}

}  // namespace detail

}  // namespace fettle::ndp
