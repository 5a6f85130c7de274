// Definitions of quality_json.hpp.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant/registration/quality_json.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string quality_json(const registry& function) {
  if (!function.has_approximate()) return {};
  std::string text;
  json_writer json(text);
  json.begin_object().key("approximate").begin_array();
  for (const registry::family& one : function.families) {
    if (one.is_approximate) json.value(one.name);
  }
  json.end_array();
  if (function.bound) json.field("bound", *function.bound);
  json.end_object();
  return text;
}

}  // namespace fettle::detail
