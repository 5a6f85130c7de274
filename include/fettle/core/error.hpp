// fettle::error: the one exception type that Fettle throws on its own account.
//
// The message is written for the person who has to act: it names the thing, the place (file and
// line where there is one) and the remedy. Catch it as std::runtime_error where Fettle is not to be
// named.
#pragma once

// An #include, because #error would not stop at the sentence: a message for each `throw` would
// follow.
#ifndef __cpp_exceptions
#include "Fettle reports errors by exceptions; compile without -fno-exceptions"
#endif

#include <stdexcept>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// An error with a message that names its object, its location and the remedy.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace fettle
