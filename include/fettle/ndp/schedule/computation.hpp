// computation: what is known of a computation besides its type; errors name it.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

struct computation {
  std::string_view name = "execute";
};

/// Whether the message of an error begins with the computation's name, as in "name: ...".
[[nodiscard]] constexpr bool names_computation(std::string_view message, const computation& named) {
  return message.starts_with(named.name) && message.substr(named.name.size()).starts_with(": ");
}

}  // namespace fettle::ndp
