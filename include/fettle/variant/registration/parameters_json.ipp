// Definitions of parameters_json.hpp.
#pragma once

#include <cstdint>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant/registration/parameters_json.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string parameters_json(const registry& function) {
  std::string text;
  json_writer json(text);
  json.begin_object();
  bool any = false;
  for (const registry::family& one : function.families) {
    if (one.space.empty()) continue;
    any = true;
    json.key(one.name).begin_object().key("values").begin_object();
    for (const parameter& p : one.space.all()) {
      json.key(p.name).begin_array();
      for (const std::int64_t value : p.values) json.value(value);
      json.end_array();
    }
    json.end_object().key("defaults").begin_object();
    for (const parameter& p : one.space.all()) json.field(p.name, p.default_value);
    json.end_object().key("constraints").begin_array();
    for (const auto& [condition, indices] : one.space.constraints()) json.value(condition.text());
    json.end_array().end_object();
  }
  json.end_object();
  return any ? text : std::string();
}

[[gnu::cold]] FETTLE_INLINE std::string versions_json(const registry& function) {
  std::string text;
  json_writer json(text);
  json.begin_object();
  for (const registry::family& one : function.families) {
    if (!one.version.empty()) json.field(one.name, one.version);
  }
  json.end_object();
  return text == "{}" ? std::string() : text;
}

}  // namespace fettle::detail
