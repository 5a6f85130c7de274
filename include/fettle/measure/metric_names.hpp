// The names and units of a function's metrics, as its policy declares them: "seconds=s joules=J".
#pragma once

#include <cstddef>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The place-th entry of a declaration, "joules=J"; empty behind the last one.
constexpr std::string_view declared_metric(std::string_view all, std::size_t place) {
  for (;; --place) {
    while (all.starts_with(' ')) all.remove_prefix(1);
    const std::string_view entry = all.substr(0, all.find(' '));
    if (place == 0 || entry.empty()) return entry;
    all.remove_prefix(entry.size());
  }
}

constexpr std::size_t declared_metrics(std::string_view all) {
  std::size_t count = 0;
  while (!declared_metric(all, count).empty()) ++count;
  return count;
}

constexpr std::string_view name_of_metric(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

/// Empty where it has none.
constexpr std::string_view unit_of_metric(std::string_view entry) {
  const std::size_t equals = entry.find('=');
  return equals == std::string_view::npos ? std::string_view() : entry.substr(equals + 1);
}

}  // namespace fettle::detail
