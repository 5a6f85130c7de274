// What a function needs to run its variants at clocks of a device: the functions behind a policy's
// `clock_control`, so that programs without one know nothing of devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/call/erased_call.hpp>

namespace fettle::inline FETTLE_ABI {

class clock_setter;

namespace detail {

/// The functions of <fettle/variant/clocks.hpp>, for variants of one type of call.
struct clock_functions {
  /// The clocks of this process; null, and `problem` says why, where they cannot be set.
  clock_setter* (*of_process)(std::string& problem);
  /// Sets a clock now, for a measurement. Throws fettle::error.
  void (*force)(clock_setter& clocks, unsigned mhz);
  /// A variant that wishes for a clock before it runs; 0: for what was set before.
  any_call (*at_clock)(any_call variant, clock_setter& clocks, unsigned mhz);
};

/// The name of a variant at a clock: "radix@745MHz".
inline std::string clocked_name(std::string_view variant, unsigned mhz) {
  return std::string(variant) + "@" + number_text(mhz) + "MHz";
}

/// Variant and clock of such a name; nothing where it is none.
inline std::optional<std::pair<std::string_view, unsigned>> parse_clocked(std::string_view name) {
  const std::size_t at = name.rfind('@');
  if (at == std::string_view::npos || !name.ends_with("MHz")) return std::nullopt;
  const std::string_view digits = name.substr(at + 1, name.size() - at - 4);
  const std::optional<unsigned> mhz = parse_number<unsigned>(digits);
  if (!mhz || *mhz == 0) return std::nullopt;
  return std::pair{name.substr(0, at), *mhz};
}

}  // namespace detail
}  // namespace fettle
