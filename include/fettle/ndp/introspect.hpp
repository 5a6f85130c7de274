// describe: what Fettle knows of a computation, as JSON: what a tuner needs to list implementations
// and a person to see why one is not among them.
//
//   describe(spmv)                        for the platform that execute() would choose
//   describe(spmv, platform::openmp{})
//   describe<platform::cuda>(spmv)        asks about CUDA without nvcc
//   schedules_of_t<decltype(spmv), platform::openmp>    the same schedules as a type_list
//
//   {"expression":"map>reduce","input":"irregular","elements":["double","int32"],
//    "result":"double","platform":"cuda",
//    "schedules":[{"schedule":"independent>cooperative","parameters":["block_size_x",...]},...],
//    "pruned":[{"schedule":"...","reason":"..."},...]}
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/parameters.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/input_kind.hpp>
#include <fettle/ndp/shape/knob_checks.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// Why a schedule that is valid for the expression is not available to E; empty where it is.
template <typename E, typename Schedule, typename Platform>
[[nodiscard]] constexpr std::string_view pruned_because() {
  constexpr schedule::limit why = schedule::limit_v<Schedule, Platform>;
  if constexpr (why != schedule::limit::none) {
    return schedule::to_string(why);
  } else if constexpr (schedule::kind_v<Schedule> == schedule::kind::flattened &&
                       !has_outer_shape_v<E>) {
    return "flattened needs an argument with contiguous rows (nest or split)";
  } else {
    return platform_traits<Platform>::template why_pruned<E, Schedule>();
  }
}

template <typename E, typename Platform, typename Found, typename... Schedules>
struct runnable {
  using type = Found;
};
template <typename E, typename Platform, typename... Found, typename First, typename... Rest>
struct runnable<E, Platform, type_list<Found...>, First, Rest...>
    : runnable<E, Platform,
               std::conditional_t<pruned_because<E, First, Platform>().empty(),
                                  type_list<Found..., First>, type_list<Found...>>,
               Rest...> {};
template <typename E, typename Platform, typename... Schedules>
type_tag<typename runnable<E, Platform, type_list<>, Schedules...>::type> runnable_of(
    type_list<Schedules...> valid);

template <typename E, typename Platform, typename Schedule>
void describe_schedule(json_writer& out) {
  out.begin_object().field("schedule", schedule::to_string<Schedule>());
  out.key("parameters").begin_array();
  for (const parameter& p : get_parameters<expression_of_t<E>, Platform, Schedule>()) {
    out.value(to_string(p));
  }
  out.end_array().end_object();
}

// The policy's knobs that have a meaning for E; no field where none has.
template <typename E, typename Platform>
void describe_knobs(json_writer& out) {
  if constexpr (policy_with_knobs<typename platform_traits<Platform>::policy>) {
    if (!can_sample_v<E> && !can_perforate_v<E> && !can_accumulate_singly_v<E>) return;
    out.key("knobs").begin_array();
    if (can_sample_v<E>) out.value("sample");
    if (can_perforate_v<E>) out.value("perforate");
    if (can_accumulate_singly_v<E>) out.value("accumulation");
    out.end_array();
  }
}

}  // namespace detail

/// A type_list of the schedules that Platform can run a computation of type E with: those of
/// schedule::valid_t without what needs contiguous rows that E does not have.
template <typename E, platform_like Platform>
  requires operation<std::remove_cvref_t<E>>
using schedules_of_t = typename decltype(detail::runnable_of<std::remove_cvref_t<E>, Platform>(
    schedule::weaker_t<expression_of_t<std::remove_cvref_t<E>>>{}))::type;

namespace detail {

// The fields of describe(), into an object that is open.
template <typename E, typename Platform>
void describe_fields(json_writer& out) {
  using nodes = expression_of_t<E>;
  out.field("expression", to_string<nodes>());
  out.field("input", to_string(input_kind_v<E>));
  out.key("elements").begin_array();
  for_each(inputs_of_t<E>{}, [&]<typename S>(type_tag<S>) { out.value(element_name<S>()); });
  out.end_array().field("result", element_name<E>()).field("platform", Platform::name);
  out.key("schedules").begin_array();
  for_each(schedules_of_t<E, Platform>{}, [&]<typename Schedule>(type_tag<Schedule>) {
    describe_schedule<E, Platform, Schedule>(out);
  });
  out.end_array().key("pruned").begin_array();
  for_each(schedule::weaker_t<nodes>{}, [&]<typename Schedule>(type_tag<Schedule>) {
    constexpr std::string_view reason = pruned_because<E, Schedule, Platform>();
    if constexpr (!reason.empty()) {
      out.begin_object().field("schedule", schedule::to_string<Schedule>());
      out.field("reason", reason).end_object();
    }
  });
  out.end_array();
  describe_knobs<E, Platform>(out);
}

}  // namespace detail

/// One line of JSON. Only the type of the expression counts; nothing is read or computed.
template <platform_like Platform, operation E>
[[nodiscard]] std::string describe(const E& /*e*/) {
  std::string text;
  json_writer out(text);
  out.begin_object();
  detail::describe_fields<E, Platform>(out);
  out.end_object();
  return text;
}

template <operation E, platform_like Platform>
[[nodiscard]] std::string describe(const E& e, const Platform& /*on*/) {
  return describe<Platform>(e);
}

/// For the platform that execute() chooses by itself.
template <operation E>
[[nodiscard]] std::string describe(const E& e) {
  return describe<platform::preferred>(e);
}

}  // namespace fettle::ndp
