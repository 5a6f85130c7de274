// platform_traits<P>: everything that the rest of the library asks of a platform. It is the one
// place where a platform plugs in: a platform's folder specialises it, <fettle/ndp/platforms.hpp>
// lists the folder, and nothing else knows the platform.
//
// Rules, which need neither the platform's compiler nor its libraries:
//   policy, default_policy      the aggregate of its parameters; the policy of an execute() that is
//                               given a schedule alone (a constant<...> where kernels are compiled
//                               for their policy)
//   is_available                whether a computation can run in a program that is compiled so
//   schedule_limit(nodes)       why it cannot implement a schedule; limit::none where it can
//   violation(policy, nodes)    why a policy cannot be used with a schedule; empty where it can
//   global_parameters(list), local_parameters(list, level)   what an implementation is tuned by
//   why_pruned<E, Schedule>()   why a schedule is not tried for E; empty where it is
//   describe_limits(json)       fields that a tuner needs in order to choose policies
//   rows_read_together          how many rows' lengths one thread reads at a time
//
// On which inputs a tuned candidate may run:
//   is_restricted(policy, nodes)   not on all of them
//   admits(e)                      on this one
//   threads()                      among how many threads equally many rows are divided; left out
//                                  where rows are not divided so
//
// Execution:
//   run(platform, computation, e, destination, schedule, policy)   by a given schedule and policy
//   run_default(platform, computation, e, destination)             by the platform's default rule
//   check_functions<E>()   (optional) whether it can call E's functions; an error where not
//   value(platform, computation, e, schedule and policy, or nothing)   a top-level reduce's value
//   joined(platform, count, op, part)   (optional) part(0, i) op part(i, k) op ... of `count`
//                       elements, some nanoseconds each: what is read of an input before a choice
//   explain_default(computation, e)   (optional; may take the platform before) what run_default
//                       does, for explain() and
//                       FETTLE_TRACE, as lines of text: sizes; "name: 4.8 us" for each candidate
//                       whose time it estimates; "chosen: schedule: why"
//
//   takes_one_pass_v<M, R>, run_one_pass(platform, computation, e, destination)   (optional,
//                       together) a map whose values are kept and a reduction of them,
//                       shape/one_pass.hpp: whether it can, and both
//   prefers_one_pass(map)   (optional) whether its default rule does; else always
//
// Training:
//   times_calls         whether seconds(platform, repeatable, call) times a call; else the
//                       processor's clock around it does
//   read, write         copy from and to memory of the platform, with conversion
//   poison              fills memory with a byte
#pragma once

#include <concepts>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/limit.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI {
class json_writer;
}

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <platform_like Platform>
struct platform_traits {
  static_assert(sizeof(Platform) == 0,
                "This platform's traits are not known here: include the platform's header, as "
                "<fettle/ndp/openmp.hpp>, or specialise fettle::ndp::platform_traits for a "
                "platform of your own");
  using is_unknown = void;
};

/// The traits are not known here, which is an error already.
template <typename P>
concept has_unknown_traits = requires { typename platform_traits<P>::is_unknown; };

/// The traits have all rules, and say how they train.
template <typename P>
concept platform_with_rules =
    platform_like<P> && policy_like<typename platform_traits<P>::policy> &&
    policy_argument<typename platform_traits<P>::default_policy> &&
    requires(const schedule::nodes& nodes, const typename platform_traits<P>::policy& policy,
             parameter_list& parameters, const scheduled_level& level, json_writer& json) {
      { platform_traits<P>::is_available } -> std::convertible_to<bool>;
      { platform_traits<P>::schedule_limit(nodes) } -> std::same_as<schedule::limit>;
      { platform_traits<P>::violation(policy, nodes) } -> std::convertible_to<std::string_view>;
      platform_traits<P>::global_parameters(parameters);
      platform_traits<P>::local_parameters(parameters, level);
      platform_traits<P>::describe_limits(json);
      { platform_traits<P>::rows_read_together } -> std::convertible_to<index_t>;
      { platform_traits<P>::is_restricted(policy, nodes) } -> std::convertible_to<bool>;
      { platform_traits<P>::times_calls } -> std::convertible_to<bool>;
    };

/// A computation can run on P in this program.
template <typename P>
inline constexpr bool is_available_v = false;
template <platform_with_rules P>
inline constexpr bool is_available_v<P> = platform_traits<P>::is_available;

/// The traits can realise E into a D by the default rule.
template <typename P, typename E, typename D>
concept platform_that_runs =
    requires(const P& on, const computation& named, const E& e, const D& destination) {
      platform_traits<P>::run_default(on, named, e, destination);
    };

namespace detail {
struct no_work {
  void operator()() const {}
};
}  // namespace detail

/// The traits can copy, poison and time memory of T.
template <typename P, typename T>
concept platform_that_trains = requires(const P& on, const T* from, index_t count, T* to) {
  platform_traits<P>::read(on, from, count, to);
  platform_traits<P>::write(on, from, count, to);
  platform_traits<P>::poison(on, to, count, 0);
} && (!platform_traits<P>::times_calls || requires(const P& on) {
                                 {
                                   platform_traits<P>::seconds(on, true, detail::no_work{})
                                 } -> std::convertible_to<double>;
                               });

}  // namespace fettle::ndp
