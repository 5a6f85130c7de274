// Several metrics of one run: what a variant returns where more counts than one number.
//
//   return fettle::measured{seconds, joules};   // static constexpr std::string_view metrics =
//                                               //     "seconds=s joules=J"; in the policy
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// The metrics of one run, in the order in which the policy names them. The first one is what
/// limits and orders runs in training, as the one metric of other functions does. A metric that is
/// not known is not a number.
template <std::size_t Count>
struct measured {
  static_assert(Count > 0, "fettle::measured holds at least one metric.");

  constexpr measured() { values.fill(std::numeric_limits<double>::quiet_NaN()); }
  template <typename... Values>
    requires(sizeof...(Values) == Count && (std::convertible_to<Values, double> && ...))
  constexpr measured(Values... all) : values{static_cast<double>(all)...} {}

  friend constexpr bool operator==(const measured&, const measured&) = default;

  std::array<double, Count> values{};
};

template <typename... Values>
measured(Values...) -> measured<sizeof...(Values)>;

namespace detail {

template <typename T>
inline constexpr std::size_t measured_count = 0;
template <std::size_t Count>
inline constexpr std::size_t measured_count<measured<Count>> = Count;

/// A fettle::measured of any size.
template <typename T>
concept several_metrics = measured_count<T> != 0;

}  // namespace detail
}  // namespace fettle
