// crc32: the checksum of zlib, gzip and PNG (Python: zlib.crc32), at run time and at compile time.
//
// It guards Fettle's files against truncation and accidental change, not against an adversary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

[[nodiscard]] consteval std::array<std::uint32_t, 256> crc32_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    table[byte] = value;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 256> crc32_bytes = crc32_table();

}  // namespace detail

/// The CRC-32 of `data`, continued from `previous` (the CRC of what came before; 0 at the start),
/// so that crc32(b, crc32(a)) is the CRC of a followed by b. About 2.5 ns a byte; allocates
/// nothing.
[[nodiscard]] constexpr std::uint32_t crc32(std::string_view data,
                                            std::uint32_t previous = 0) noexcept {
  std::uint32_t value = ~previous;
  for (const char c : data) {
    value = (value >> 8) ^ detail::crc32_bytes[(value ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  return ~value;
}

static_assert(crc32("123456789") == 0xCBF43926U, "the check value that the CRC's definition gives");

}  // namespace fettle
