// Definitions of library_check.hpp.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/library_check.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void
FETTLE_COMPILED_needs_the_library_fettle_compiled_made_with_the_same_flags(
    const std::string* /*text*/, const std::vector<char>* /*bytes*/) noexcept {}

}  // namespace fettle::detail
