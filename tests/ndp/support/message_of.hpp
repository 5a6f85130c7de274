// The message of the error that a misuse throws.
#pragma once

#include <string>

#include <fettle/core/error.hpp>

namespace ndp_test {

/// What `misuse()` complains of; a text that no test expects where it does not.
template <typename Misuse>
[[nodiscard]] std::string message_of(Misuse&& misuse) {
  try {
    static_cast<void>(misuse());
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "(no error)";
}

}  // namespace ndp_test
