// Which parameters a (expression, schedule) pair has on a platform: Get-Parameters, the paper's
// algorithm 1.
//
// The union, over the nesting levels, of what the level's operator under its schedule can be tuned
// by, after the platform's global parameters. Names are the paper's (table IV). A tuner needs to
// try no other parameter: the rest have no effect on this implementation.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/schedule/lookup.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/schedule/violation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The parameters of Expression under S on Platform. Levels below the third share its parameters
/// and have no parameters themselves.
template <expression_sequence Expression, platform_like Platform, schedule::schedule_like S>
[[nodiscard]] constexpr parameter_list get_parameters() {
  parameter_list out;
  if constexpr (has_unknown_traits<Platform>) {
    return out;  // which is an error already
  } else if constexpr (schedule::require_valid<S, Expression>()) {
    platform_traits<Platform>::global_parameters(out);
    const schedule::expression_levels& levels = schedule::levels_v<Expression>;
    const schedule::nodes& nodes = schedule::nodes_v<S>;
    for (int level = 1; level <= levels.count && level <= per_level<int>::count;) {
      const schedule::kind node = nodes.at_level(level);
      const int below = level + schedule::levels_covered(node);
      bool is_sequential_below = true;
      for (int i = below; i <= levels.count; ++i) {
        if (nodes.at_level(i) != schedule::kind::sequential) is_sequential_below = false;
      }
      const bool is_innermost = below > levels.count;
      platform_traits<Platform>::local_parameters(
          out, {levels[level].operator_name, node, level, is_innermost, is_sequential_below,
                is_innermost ? std::string_view{} : levels[below].operator_name});
      level = below;
    }
  }
  return out;
}

}  // namespace fettle::ndp
