// A model input: what a predictor sees of the features. One line `input log nnz 4.6 16.2` of
// model.txt.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// How a model input t comes from feature values f (`feature`) and g (`divisor`).
enum class transform : std::uint8_t {
  linear,         ///< t = f
  log,            ///< t = log f, the natural logarithm
  ratio,          ///< t = f / g
  log_ratio,      ///< t = log f - log g
  fraction,       ///< t = f / g less the whole number below it: 0 where g divides f
  root_fraction,  ///< t = sqrt f less the whole number below it: 0 for the size of a square
};

inline constexpr std::array<std::string_view, 6> transform_names{
    "linear", "log", "ratio", "log_ratio", "fraction", "root_fraction"};

[[nodiscard]] constexpr std::string_view name_of(transform kind) noexcept {
  return transform_names[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::optional<transform> transform_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < transform_names.size(); ++i) {
    if (transform_names[i] == name) return static_cast<transform>(i);
  }
  return std::nullopt;
}

/// Whether a transform reads a second feature.
[[nodiscard]] constexpr bool has_divisor(transform kind) noexcept {
  return kind == transform::ratio || kind == transform::log_ratio || kind == transform::fraction;
}

/// Whether a transform keeps what is behind the point only.
[[nodiscard]] constexpr bool is_fractional(transform kind) noexcept {
  return kind == transform::fraction || kind == transform::root_fraction;
}

/// `feature` and `divisor` are indices in the model's feature list (a divisor is read only where
/// has_divisor()). `low` and `high` are the smallest and the largest t of the training inputs.
struct model_input {
  transform kind = transform::linear;
  std::uint16_t feature = 0;
  std::uint16_t divisor = 0;
  double low = 0;
  double high = 0;

  friend bool operator==(const model_input&, const model_input&) = default;
};

}  // namespace fettle::model
