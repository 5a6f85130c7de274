// execute: realises an expression on a platform.
//
//   execute(e, destination)                                on the preferred platform
//   execute(e, destination, platform::openmp{})            on a platform
//   execute(e, destination, platform, schedule, policy)    by hand
//   execute(e, platform ...)                               a reduce: returns the value; a map of a
//                                                          void function; a scatter
//   execute<"name">(...)                                   the same; errors name the computation
//
// Without a schedule a computation runs by the platform's default rule, or as it was tuned: a
// computation with a name for which a generated header (docs/ndp-tuning.md) is included chooses its
// implementation by the features of its input.
//
// What is wrong with the types is a compile-time error; what is wrong with the sizes is a
// fettle::error that is thrown before anything is written.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/dispatch.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// What execute returns where there is a destination.
template <typename E, typename D>
using executed_t = std::conditional_t<returns_count<E> && !is_counted_v<D>, index_t, void>;

/// run(counted destination); the number of results.
template <fixed_string Name, typename Platform, typename D, typename Run>
index_t count_results(const Platform& on, const D& destination, const Run& run) {
  const auto into = [&](const sequence<index_t>& count) {
    run(counted_destination<D, index_t>{destination, count});
  };
  index_t results = 0;
  if constexpr (requires { platform_traits<Platform>::count(on, named<Name>(), into); }) {
    results = platform_traits<Platform>::count(on, named<Name>(), into);
  } else {
    into(sequence<index_t>(&results, 1));
  }
  require_size(named<Name>(), "elements", destination.size(), results);
  return results;
}

}  // namespace detail

/// Realises `e` into `destination` as it was tuned, or by the platform's default rule. On CUDA the
/// work is enqueued on the platform's stream and may still be running on return. Throws
/// fettle::error for arguments whose sizes do not fit together and a destination that is too small,
/// before anything is written, and for what the platform reports. Returns the number of results of
/// a filter, partition, unique or runs_by_key (on CUDA after waiting for the stream) unless the
/// destination is counted().
template <fixed_string Name = "", typename E, typename D,
          platform_like Platform = platform::preferred>
  requires(!detail::platform_or_schedule<D>)
detail::executed_t<E, D> execute(const E& e, const D& destination, const Platform& on = {}) {
  if constexpr (detail::check_destination<E, D>() &&
                detail::check_outside_program<Platform, E, D>()) {
    if constexpr (detail::has_epilogue_v<E>) {
      detail::check_sizes<Platform>(detail::named<Name>(), e, destination);
      execute<Name>(detail::reductions_of(e), detail::through_epilogue(e, destination), on);
    } else if constexpr (std::is_void_v<detail::executed_t<E, D>>) {
      detail::check_sizes<Platform>(detail::named<Name>(), e, destination);
      detail::run_chosen<Name>(on, e, destination);
    } else {
      return detail::count_results<Name>(
          on, destination, [&](const auto& counted) { execute<Name>(e, counted, on); });
    }
  } else {
    return detail::executed_t<E, D>();
  }
}

/// ... by a given schedule and policy. On CUDA the policy is a compile-time constant:
/// constant<cuda::policy{.block_size_x = 128}>.
template <fixed_string Name = "", typename E, typename D, platform_like Platform,
          schedule::schedule_like Schedule,
          policy_argument Policy = typename platform_traits<Platform>::default_policy>
detail::executed_t<E, D> execute(const E& e, const D& destination, const Platform& on,
                                 Schedule schedule, const Policy& policy = {}) {
  if constexpr (detail::check_destination<E, D>() &&
                detail::check_outside_program<Platform, E, D>()) {
    if constexpr (detail::has_epilogue_v<E>) {
      detail::check_sizes<Platform>(detail::named<Name>(), e, destination);
      execute<Name>(detail::reductions_of(e), detail::through_epilogue(e, destination), on,
                    schedule, policy);
    } else if constexpr (detail::check_by_hand<Schedule, Policy, E, Platform>()) {
      constexpr computation named = detail::named<Name>();
      detail::check_policy<Schedule, Platform>(named, policy);
      if constexpr (std::is_void_v<detail::executed_t<E, D>>) {
        detail::check_sizes<Platform>(named, e, destination);
        detail::run_by_hand(on, named, e, destination, schedule, policy);
      } else {
        return detail::count_results<Name>(on, destination, [&](const auto& counted) {
          execute<Name>(e, counted, on, schedule, policy);
        });
      }
    } else {
      return detail::executed_t<E, D>();
    }
  } else {
    return detail::executed_t<E, D>();
  }
}

/// Without a destination: a map of a void function or a scatter, which update memory by themselves,
/// or a reduce, whose value is returned (on CUDA after waiting for the stream).
template <fixed_string Name = "", typename E, platform_like Platform = platform::preferred>
auto execute(const E& e, const Platform& on = {}) {
  if constexpr (!detail::check_no_destination<E>()) {
    return invalid_expression{};
  } else if constexpr (!detail::check_outside_program<Platform, E, no_destination>()) {
    return invalid_expression{};
  } else {
    detail::check_sizes<Platform>(detail::named<Name>(), e, no_destination{});
    if constexpr (detail::scalar_reduction<E>) {
      return detail::value_chosen<Name>(on, e);
    } else {
      detail::run_chosen<Name>(on, e, no_destination{});
    }
  }
}

/// ... by a given schedule and policy.
template <fixed_string Name = "", typename E, platform_like Platform,
          schedule::schedule_like Schedule,
          policy_argument Policy = typename platform_traits<Platform>::default_policy>
auto execute(const E& e, const Platform& on, Schedule schedule, const Policy& policy = {}) {
  if constexpr (!detail::check_no_destination<E>()) {
    return invalid_expression{};
  } else if constexpr (!detail::check_outside_program<Platform, E, no_destination>()) {
    return invalid_expression{};
  } else if constexpr (!detail::check_by_hand<Schedule, Policy, E, Platform>()) {
    return invalid_expression{};
  } else {
    constexpr computation named = detail::named<Name>();
    detail::check_policy<Schedule, Platform>(named, policy);
    detail::check_sizes<Platform>(named, e, no_destination{});
    if constexpr (detail::scalar_reduction<E>) {
      return detail::value_by_hand(on, named, e, schedule, policy);
    } else {
      detail::run_by_hand(on, named, e, no_destination{}, schedule, policy);
    }
  }
}

/// A reduce into a variable: result = execute(e, ...).
template <fixed_string Name = "", detail::scalar_reduction E, detail::result_variable T,
          typename... Options>
  requires(!std::is_const_v<T>)
void execute(const E& e, T& result, const Options&... options) {
  constexpr bool converts = std::is_convertible_v<typename E::value_type, T>;
  static_assert(converts,
                "execute: the reduced value does not convert to the variable; a destination that "
                "is not one variable must be a sequence, made by make_sequence");
  if constexpr (converts) result = static_cast<T>(execute<Name>(e, options...));
}

/// Any other arguments are an error.
template <fixed_string Name = "", typename E, typename... Options>
invalid_expression execute(const E& /*e*/, const Options&... /*options*/) {
  constexpr bool known = !(has_unknown_traits<Options> || ...);
  static_assert(!known || detail::any_invalid_v<E, Options...>,
                "execute: these arguments are in no order that execute takes: execute(expression, "
                "destination, platform, schedule, policy), where a policy needs a schedule before "
                "it, a schedule needs a platform, and a reduce needs no destination");
  return {};
}

}  // namespace fettle::ndp
