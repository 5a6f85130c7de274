// explain: what the default rule would do with a computation, and why, as text.
//
//   std::puts(explain(e, platform::cuda{}).c_str());
//   map>reduce on cuda: 100000 rows, 1000000 elements, longest row 13
//     1 lane a row: 4.8 us
//     adaptive rows: 7.2 us
//     flattened, one launch: 12.5 us
//     chosen: 1 lane a row
//
// Nothing is run; on CUDA the estimates are for the current device. Optional, and not in
// <fettle/ndp.hpp>. FETTLE_TRACE=file writes the same of each call.
#pragma once

#include <optional>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/dispatch.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/knob_checks.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/default_trace.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// "  tuned: ..." where it was.
template <fixed_string Name, typename E, typename D, typename Platform>
[[nodiscard]] std::string tuned_line(const E& e, const D& destination, const Platform& on) {
  const std::string choice = choice_of<Name>(on, e, destination);
  return choice.empty() ? choice : "  tuned: " + choice + "\n";
}

/// "  with a bound ...: sample" where the policy's knobs have a meaning for E.
template <typename E, typename Platform>
[[nodiscard]] std::string knobs_line() {
  std::string text;
  if constexpr (policy_with_knobs<typename platform_traits<Platform>::policy>) {
    if (can_sample_v<E>) text += " sample";
    if (can_perforate_v<E>) text += " perforate";
    if (can_accumulate_singly_v<E>) text += " accumulation";
  }
  return text.empty() ? text : "  with a bound on its error, tuning also tries:" + text + "\n";
}

/// What the default rule would do.
template <fixed_string Name, typename E, typename Platform>
[[nodiscard]] std::string default_text(const E& e, [[maybe_unused]] const Platform& on) {
  constexpr bool is_expression = operation<E> || any_invalid_v<E>;
  static_assert(is_expression,
                "explain: the first argument must be an expression, built by map, reduce, scan "
                "...");
  std::string text;
  if constexpr (has_epilogue_v<E>) {
    return default_text<Name>(reductions_of(e), on);
  } else if constexpr (operation<E>) {
    constexpr computation its = named<Name>();
    check_arguments<Platform>(its, e);
    text.append(to_string<expression_of_t<E>>()).append(" on ").append(Platform::name);
    if constexpr (explains_default<Platform, E>) {
      text.append(": ").append(explanation_of(on, its, e)).append("\n");
    } else {
      text += ": this platform does not say what it chooses\n";
    }
    text += knobs_line<E, Platform>();
  }
  return text;
}

}  // namespace detail

/// The default rule's candidates with their estimated times, where it compares any, and its choice.
/// Of a named computation that was tuned it says what would run without that; of a tuned reduce to
/// a value, and where a destination is given, also what was selected and why.
template <fixed_string Name = "", typename E, platform_like Platform = platform::preferred>
[[nodiscard]] std::string explain(const E& e, const Platform& on = {}) {
  std::string text = detail::default_text<Name>(e, on);
  if constexpr (detail::scalar_reduction<E>) {
    std::optional<typename E::value_type> unused;
    const returned_value<typename E::value_type> value{&unused};
    text += detail::tuned_line<Name>(e, value, on);
  }
  return text;
}

/// ... of a computation into this destination.
template <fixed_string Name = "", typename E, typename D,
          platform_like Platform = platform::preferred>
  requires(!detail::platform_or_schedule<D>)
[[nodiscard]] std::string explain(const E& e, const D& destination, const Platform& on = {}) {
  constexpr bool is_destination =
      random_access<D> || detail::scalar_reduction<E> || detail::any_invalid_v<E, D>;
  static_assert(
      is_destination,
      "explain: the second argument is neither a destination, a sequence that make_sequence "
      "makes, nor a platform, such as platform::openmp{}");
  std::string text = detail::default_text<Name>(e, on);
  if constexpr (!is_destination) {
    return text;
  } else if constexpr (detail::has_epilogue_v<E>) {
    text += detail::tuned_line<Name>(detail::reductions_of(e),
                                     detail::through_epilogue(e, destination), on);
  } else if constexpr (operation<E>) {
    text += detail::tuned_line<Name>(e, destination, on);
  }
  return text;
}

}  // namespace fettle::ndp
