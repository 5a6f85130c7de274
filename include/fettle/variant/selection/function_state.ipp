// Definitions of function_state.hpp.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/selection/function_state.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE function_state::function_state(context& in,
                                                           const policy_settings& settings)
    : shared(&in) {
  all.names.settings = settings;
}

[[gnu::cold]] FETTLE_INLINE function_state::~function_state() = default;

[[gnu::cold]] FETTLE_INLINE registered& function_state::open(std::string_view what) {
  first_call_.refuse_after(all.names, what);
  return all;
}

}  // namespace fettle::detail
