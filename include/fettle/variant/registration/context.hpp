// The context: what the tuned functions of a program share (dissertation 2.1.2.1). Where their
// models are, who hears warnings, and whether an unusable model is an error.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/library_check.hpp>

namespace fettle::inline FETTLE_ABI {

/// Options of a context: where models are, what receives warnings, and whether a bad model throws.
struct context_options {
  /// Holds <function>/model.txt. Empty: $FETTLE_MODEL_DIR, the policy's own, ./fettle_models.
  std::string model_directory{};
  /// Called once for each reason that made a function fall back to its default variant. May be
  /// called from any thread that calls a tuned function, one call at a time; may itself use the
  /// context and call tuned functions. Empty: one line on stderr, once a process for each distinct
  /// message.
  std::function<void(std::string_view)> on_warning{};
  /// A model that cannot be used is a fettle::error instead of a warning.
  bool strict = false;
};

/// Must outlive the code_variant objects made with it. Thread-safe.
class context {
 public:
  context() { detail::require_library(); }
  explicit context(context_options options) : options_(std::move(options)) {
    detail::require_library();
  }
  ~context();
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  const context_options& options() const noexcept { return options_; }

  /// Goes by the models of this objective, of those that the tuning script trained;
  /// FETTLE_OBJECTIVE takes precedence. For the functions that are called first afterwards: a
  /// function keeps the model that its first call found.
  void set_objective(std::string name);
  std::string objective() const;

  /// Lets calls set the clocks that were trained by tune_frequency(), or forbids it, whatever the
  /// policy says; FETTLE_FREQUENCY=1 or 0 takes precedence. For functions that are called first
  /// afterwards.
  void set_frequency(bool allowed);
  std::optional<bool> frequency() const;

  /// Passes a message to the warning handler, unless this context has passed it before.
  void warn_once(const std::string& message);

 private:
  void pass_on(const std::string& message);
  // Once a process: contexts are often local to a function that is called a million times.
  static void print_once(const std::string& message);

  context_options options_;
  mutable std::mutex mutex_;
  std::recursive_mutex handling_;  // held while a handler runs, which may cause warnings
  std::string objective_;
  std::optional<bool> frequency_;
  std::set<std::string> warned_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/context.ipp>
#endif
