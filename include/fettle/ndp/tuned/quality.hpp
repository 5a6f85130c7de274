// quality: which tuned computations have a bound on the errors of their candidates, what a measure
// of errors (error_measures.hpp) is given, and where a call could be checked.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/written.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// A tuned computation with a bound on the error of its approximate candidates.
template <typename T>
concept has_bound = requires {
  typename T::quality;
  T::bound;
};

/// The numbers that a computation has written, as far as they are seen (written.hpp).
template <typename E, typename D, platform_like Platform>
[[nodiscard]] std::vector<double> numbers_written(const E& e, const D& destination,
                                                  const Platform& on) {
  std::vector<double> numbers;
  if constexpr (is_returned_value_v<D>) {
    if (*destination.value) numbers.push_back(static_cast<double>(**destination.value));
  } else {
    for_each_written(e, destination, [&]<typename T>(const sequence<T>& leaf) {
      if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        std::vector<T> values(static_cast<std::size_t>(leaf.size()));
        platform_traits<Platform>::read(on, leaf.data(), leaf.size(), values.data());
        for (const T value : values) numbers.push_back(static_cast<double>(value));
      }
    });
  }
  return numbers;
}

/// Whether the exact result could be made after an approximate one on the same inputs, and both be
/// looked at: not where the first overwrites the inputs, and not where the platform only records.
template <typename E, typename D, platform_like Platform>
[[nodiscard]] bool can_be_checked(const E& e, const D& destination, const Platform& on) {
  if constexpr (requires { platform_traits<Platform>::can_wait(on); }) {
    if (!platform_traits<Platform>::can_wait(on)) return false;
  }
  return !is_in_place(e, destination);
}

}  // namespace fettle::ndp::detail
