// Approximate variants: those whose result may differ from the exact one, within a bound on an
// error that the user defines (dissertation 7.2.2).
//
//   stencil.add_variant("perforated", perforated, fettle::approximate);
//   stencil.set_quality([](const auto& exact, const auto& out) { return error(exact, out); },
//   0.05);
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/variant/parameters/parameter.hpp>
#include <fettle/variant/registration/version.hpp>

namespace fettle::inline FETTLE_ABI {

/// What marks a variant as approximate in add_variant(). Such a variant is selected only where
/// set_quality() gives a bound, and a trained model predicts that its error keeps it there.
struct approximation {};
inline constexpr approximation approximate{};

namespace detail {

template <typename T>
inline constexpr bool is_approximation_v = std::is_same_v<std::remove_cvref_t<T>, approximation>;

/// What add_variant() takes behind the callable.
template <typename T>
concept variant_option = parameter_or_constraint<T> ||
                         std::same_as<std::remove_cvref_t<T>, version> || is_approximation_v<T>;

}  // namespace detail

}  // namespace fettle
