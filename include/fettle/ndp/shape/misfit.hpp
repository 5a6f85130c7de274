// misfit: the error where two sizes of a computation's arguments do not fit together.
#pragma once

#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Two sizes that do not fit, in the words of the error: "map: sequence 2 has 10 elements, sequence
/// 1 has 100".
struct misfit {
  std::string_view operation;
  std::string_view argument;
  index_t number = -1;  // of the argument, where there are several
  index_t size;
  std::string_view other;
  index_t other_size;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_misfit(const computation& named,
                                                                const misfit& found) {
  std::string text(named.name);
  text.append(": ").append(found.operation).append(": ").append(found.argument);
  if (found.number >= 0) text.append(" ").append(std::to_string(found.number));
  text.append(" has ").append(std::to_string(found.size)).append(" elements, ");
  text.append(found.other).append(" ").append(std::to_string(found.other_size));
  throw error(text);
}

}  // namespace fettle::ndp::detail
