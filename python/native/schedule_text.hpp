// Schedules in their text form, "independent>cooperative", as values.
#pragma once

#include <string>
#include <string_view>

#include <fettle/core/error.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle_native {

[[nodiscard]] inline fettle::ndp::schedule::kind kind_of(std::string_view text) {
  using fettle::ndp::schedule::kind;
  for (const kind one : {kind::independent, kind::cooperative, kind::sequential, kind::flattened}) {
    if (fettle::ndp::schedule::to_string(one) == text) return one;
  }
  throw fettle::error("'" + std::string(text) + "' is not a schedule of a level");
}

/// Throws fettle::error for what is not a schedule.
[[nodiscard]] inline fettle::ndp::schedule::nodes nodes_of(std::string_view text) {
  fettle::ndp::schedule::nodes nodes;
  for (;;) {
    if (nodes.count == fettle::ndp::schedule::nodes::capacity) {
      throw fettle::error("a schedule has 16 nested levels at most");
    }
    const std::size_t end = text.find('>');
    nodes.push_back(kind_of(text.substr(0, end)));
    if (end == std::string_view::npos) return nodes;
    text.remove_prefix(end + 1);
  }
}

}  // namespace fettle_native
