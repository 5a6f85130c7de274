// Definitions of environment.hpp.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/variant/registration/environment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

[[gnu::cold]] FETTLE_INLINE std::string_view without_blanks_around(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

[[gnu::cold]] FETTLE_INLINE void forced_functions::name(std::string_view function) {
  const std::lock_guard hold(lock_);
  named_.emplace(function);
}

[[gnu::cold]] FETTLE_INLINE void forced_functions::call(std::string_view function) {
  const std::lock_guard hold(lock_);
  called_.emplace(function);
}

[[gnu::cold]] FETTLE_INLINE std::string forced_functions::warning() const {
  const std::lock_guard hold(lock_);
  const auto joined = [](const std::set<std::string>& names, const std::set<std::string>& but) {
    std::string text;
    for (const std::string& name : names) {
      if (!but.contains(name)) text += (text.empty() ? "'" : ", '") + name + "'";
    }
    return text;
  };
  const std::string unknown = joined(named_, called_);
  if (unknown.empty()) return {};
  return "fettle: warning: FETTLE_FORCE names " + unknown +
         ", which this program did not call; it called " + joined(called_, {}) +
         "; correct the name";
}

[[gnu::cold]] FETTLE_INLINE forced_functions::report::~report() {
  if (const std::string text = of.warning(); !text.empty()) {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::string> forced_variant(std::string_view function) {
  const std::string all = environment("FETTLE_FORCE");
  if (all.empty()) return std::nullopt;
  static auto& forced = *new forced_functions;  // static destructors may call, too
  static const forced_functions::report at_the_end{forced};
  forced.call(function);
  std::optional<std::string> found;
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view entry = without_blanks_around(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    const std::string_view named = without_blanks_around(entry.substr(0, equals));
    const std::string_view variant =
        equals == std::string_view::npos ? "" : without_blanks_around(entry.substr(equals + 1));
    if (named.empty() || variant.empty()) {
      throw error("FETTLE_FORCE=" + all + ": '" + std::string(entry) +
                  "' is not function=variant; write FETTLE_FORCE=" +
                  (named.empty() ? "FUNCTION" : std::string(named)) + "=VARIANT, or unset it");
    }
    const auto decoded = [](std::string_view text) {
      return percent_decode(text).value_or(std::string(text));
    };
    forced.name(decoded(named));
    if (decoded(named) == function && !found) found = decoded(variant);
  }
  return found;
}

}  // namespace fettle::detail
