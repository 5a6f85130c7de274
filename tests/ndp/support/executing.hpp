// The message of the error that execute() throws.
#pragma once

#include <string>

#include <fettle/ndp.hpp>

#include "ndp/support/message_of.hpp"

namespace ndp_test {

/// What execute<"spmv">(arguments...) complains of, as `message_of` says it.
template <typename... Arguments>
[[nodiscard]] std::string executing(const Arguments&... arguments) {
  return message_of([&] {
    fettle::ndp::execute<"spmv">(arguments...);
    return 0;
  });
}

}  // namespace ndp_test
