// Definitions of policy_text.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string field_name(int level, std::string_view name) {
  return level == 0 ? std::string(name) : number_text(level) + "." + std::string(name);
}

[[gnu::cold]] FETTLE_INLINE void append_field(std::string& out, int level, std::string_view name,
                                              const std::string& value) {
  out.append(" ").append(field_name(level, name)).append("=").append(value);
}

[[gnu::cold]] FETTLE_INLINE std::string words_that_differ(std::string_view text,
                                                          std::string_view defaults) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' ', 1), text.size());
    const std::size_t its = std::min(defaults.find(' ', 1), defaults.size());
    const std::string_view word = text.substr(0, length);
    if (word != defaults.substr(0, its)) out += out.empty() ? word.substr(1) : word;
    text.remove_prefix(length);
    defaults.remove_prefix(its);
  }
  return out;
}

}  // namespace fettle::detail
