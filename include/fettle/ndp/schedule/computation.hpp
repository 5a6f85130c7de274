// computation: what is known of a computation besides its type; errors name it.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

struct computation {
  std::string_view name = "execute";
};

}  // namespace fettle::ndp
