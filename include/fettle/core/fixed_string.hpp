// fixed_string: a string that can be a template argument, as in fettle::policy<"spmv">.
//
// It holds a copy of the literal's characters, so two equal literals name the same type in every
// translation unit.
#pragma once

#include <cstddef>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// `N` counts the terminating zero, so that it is deduced from a literal. A structural type: all
/// members are public, as template arguments require.
template <std::size_t N>
struct fixed_string {
  char characters[N]{};

  // Not explicit: the conversion from a literal is the purpose of the type.
  consteval fixed_string(const char (&text)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  }

  [[nodiscard]] static constexpr std::size_t size() noexcept { return N - 1; }
  [[nodiscard]] static constexpr bool empty() noexcept { return N == 1; }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters, N - 1}; }
  constexpr operator std::string_view() const noexcept { return view(); }
};

template <std::size_t N, std::size_t M>
[[nodiscard]] constexpr bool operator==(const fixed_string<N>& a,
                                        const fixed_string<M>& b) noexcept {
  return a.view() == b.view();
}

}  // namespace fettle
