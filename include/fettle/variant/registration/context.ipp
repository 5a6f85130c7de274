// Definitions of context.hpp.
#pragma once

#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/held_warnings.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE context::~context() = default;

[[gnu::cold]] FETTLE_INLINE void context::warn_once(const std::string& message) {
  {
    const std::scoped_lock lock(mutex_);
    if (!warned_.insert(message).second) return;
  }
  detail::held_warnings::pass_on([this, message] { pass_on(message); });
}

[[gnu::cold]] FETTLE_INLINE void context::pass_on(const std::string& message) {
  if (!options_.on_warning) return print_once(message);
  const std::scoped_lock lock(handling_);
  options_.on_warning(message);
}

[[gnu::cold]] FETTLE_INLINE void context::set_objective(std::string name) {
  const std::scoped_lock lock(mutex_);
  objective_ = std::move(name);
}

[[gnu::cold]] FETTLE_INLINE std::string context::objective() const {
  const std::scoped_lock lock(mutex_);
  return objective_;
}

[[gnu::cold]] FETTLE_INLINE void context::set_frequency(bool allowed) {
  const std::scoped_lock lock(mutex_);
  frequency_ = allowed;
}

[[gnu::cold]] FETTLE_INLINE std::optional<bool> context::frequency() const {
  const std::scoped_lock lock(mutex_);
  return frequency_;
}

[[gnu::cold]] FETTLE_INLINE void context::print_once(const std::string& message) {
  static std::mutex mutex;
  static auto& printed = *new std::set<std::string>;  // static destructors may warn, too
  const std::scoped_lock lock(mutex);
  if (printed.insert(message).second) std::fprintf(stderr, "fettle: %s\n", message.c_str());
}

}  // namespace fettle
