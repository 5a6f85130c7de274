// The version of a variant: a text that its author changes where its measurements no longer hold.
//
//   spmv.add_variant("tiled", tiled, fettle::version{"2"});
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/variant/parameters/parameter.hpp>

namespace fettle::inline FETTLE_ABI {

/// The tuner measures a variant anew whose version is not the one that it measured. No model is
/// bound to a version.
struct version {
  std::string text;

  explicit version(std::string_view text_) : text(text_) {}
};

namespace detail {

template <typename T>
concept variant_option =
    parameter_or_constraint<T> || std::same_as<std::remove_cvref_t<T>, version>;

/// A tuple of the option where it is a parameter or a constraint, else an empty one.
template <typename Option>
auto parameters_among(const Option& option) {
  if constexpr (parameter_or_constraint<Option>) {
    return std::tie(option);
  } else {
    return std::tuple<>();
  }
}

inline void take_version(std::string& into, const version& stated) { into = stated.text; }
template <parameter_or_constraint Option>
void take_version(std::string& /*into*/, const Option& /*option*/) {}

}  // namespace detail

}  // namespace fettle
