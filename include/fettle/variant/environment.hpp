// What a user may ask of a running program through its environment: FETTLE_MODEL_DIR, FETTLE_FORCE,
// FETTLE_TRACE. The training request has a header of its own (training_request.hpp).
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace fettle::detail {

/// An environment variable; unset and empty are the same.
inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The variant that FETTLE_FORCE names for a function. The variable is a comma-separated list of
/// function=variant, as in FETTLE_FORCE=spmv=csr_vector,sort=radix.
inline std::optional<std::string> forced_variant(std::string_view function) {
  const std::string all = environment("FETTLE_FORCE");
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view entry = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos && entry.substr(0, equals) == function) {
      return std::string(entry.substr(equals + 1));
    }
  }
  return std::nullopt;
}

}  // namespace fettle::detail
