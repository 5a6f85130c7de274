// The version of a variant: a text that its author changes where its measurements no longer hold.
//
//   spmv.add_variant("tiled", tiled, fettle::version{"2"});
#pragma once

#include <string>
#include <string_view>
#include <tuple>

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
template <typename Option>
void take_version(std::string& /*into*/, const Option& /*option*/) {}

}  // namespace detail

}  // namespace fettle
