// Definitions of object_name.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/call/object_name.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string short_class_name(std::string_view full) {
  std::string flat;
  int depth = 0;
  for (const char c : full) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) flat += c;
    if (c == '>' || c == ')') --depth;
  }
  const std::size_t colon = flat.rfind("::");
  std::string name = colon == std::string::npos ? flat : flat.substr(colon + 2);
  return name.empty() ? std::string(full) : name;
}

}  // namespace fettle::detail
