// require_library(): where FETTLE_COMPILED is defined, the linker says what is missing.
#pragma once

#ifdef FETTLE_COMPILED
#include <string>
#include <vector>
#endif

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

#ifdef FETTLE_COMPILED

// Its parameters' types name the flavour of the standard library that the files are compiled with.
void FETTLE_COMPILED_needs_the_library_fettle_compiled_made_with_the_same_flags(
    const std::string* text, const std::vector<char>* bytes) noexcept;

inline void require_library() noexcept {
  FETTLE_COMPILED_needs_the_library_fettle_compiled_made_with_the_same_flags(nullptr, nullptr);
}

#else

inline void require_library() noexcept {}

#endif

}  // namespace fettle::detail
