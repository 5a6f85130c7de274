// fettle::error: the one exception type that Fettle throws on its own account.
//
// The message is written for the person who has to act: it names the thing, the place (file and
// line where there is one) and the remedy. Catch it as std::runtime_error where Fettle is not to be
// named.
#pragma once

#include <stdexcept>

namespace fettle {

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace fettle
