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

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/tuned/default_trace.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The default rule's candidates with their estimated times, where it compares any, and its choice.
/// Of a named computation that was tuned it says what would run without that.
template <fixed_string Name = "", typename E, platform_like Platform = platform::preferred>
[[nodiscard]] std::string explain(const E& e, [[maybe_unused]] const Platform& on = {}) {
  constexpr bool is_expression = operation<E> || detail::any_invalid_v<E>;
  static_assert(is_expression,
                "explain: the first argument must be an expression, built by map, reduce, scan "
                "...");
  std::string text;
  if constexpr (detail::has_epilogue_v<E>) {
    return explain<Name>(detail::reductions_of(e), on);
  } else if constexpr (operation<E>) {
    constexpr computation named = detail::named<Name>();
    detail::check_arguments<Platform>(named, e);
    text.append(to_string<expression_of_t<E>>()).append(" on ").append(Platform::name);
    if constexpr (explains_default<Platform, E>) {
      text.append(": ").append(detail::explanation_of(on, named, e)).append("\n");
    } else {
      text += ": this platform does not say what it chooses\n";
    }
  }
  return text;
}

}  // namespace fettle::ndp
