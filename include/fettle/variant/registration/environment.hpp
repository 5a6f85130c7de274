// What a user may ask of a running program through its environment: FETTLE_MODEL_DIR, FETTLE_FORCE,
// FETTLE_TRACE. training_request.hpp reads the training request.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// An environment variable; unset and empty are the same.
std::string environment(const char* name);

std::string_view without_blanks_around(std::string_view text);

/// The variant that FETTLE_FORCE names for a function. The variable is a comma-separated list of
/// function=variant, as in FETTLE_FORCE=spmv=csr_vector,sort=radix. Throws fettle::error where an
/// entry of the list, of whichever function, is none: forcing nothing would go unnoticed.
std::optional<std::string> forced_variant(std::string_view function);

/// The functions that FETTLE_FORCE names, and those that were called.
class forced_functions {
 public:
  /// Its end, which is the program's, is a line on standard error that names what was forced of
  /// functions that were never called: a misspelt name would go unnoticed.
  struct report {
    const forced_functions& of;
    ~report();
  };

  void name(std::string_view function);
  void call(std::string_view function);

  /// The line; empty where all that is named was called.
  [[nodiscard]] std::string warning() const;

 private:
  mutable std::mutex lock_;
  std::set<std::string> named_;
  std::set<std::string> called_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/environment.ipp>
#endif
