// Memory by cache lines: asking for lines that will be read soon, and blocks that begin at one.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Bytes; what x86-64, AArch64 and POWER servers have, or half of it.
inline constexpr std::size_t cache_line = 64;

/// Asks for the line at `address`; waits for nothing. Any address will do.
inline void prefetch(const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

/// Asks for `Count` lines from `begin` on.
template <std::size_t Count>
inline void prefetch_lines(const void* begin) noexcept {
  const auto* const at = static_cast<const std::byte*>(begin);
  [at]<std::size_t... Line>(std::index_sequence<Line...>) {
    (prefetch(at + Line * cache_line), ...);
  }(std::make_index_sequence<Count>());
}

[[nodiscard]] constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
  return (bytes + cache_line - 1) / cache_line;
}

/// Uninitialised memory of whole lines. Throws std::bad_alloc.
[[nodiscard]] inline std::shared_ptr<std::byte> make_lines(std::size_t count) {
  constexpr auto alignment = static_cast<std::align_val_t>(cache_line);
  const std::size_t bytes = count * cache_line;
  return {static_cast<std::byte*>(::operator new(bytes, alignment)),
          [](std::byte* memory) { ::operator delete(memory, alignment); }};
}

}  // namespace fettle::detail
