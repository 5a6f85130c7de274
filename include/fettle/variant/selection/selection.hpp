// The outcome of a selection: which variant, and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// Why a variant was selected.
enum class selection_reason : std::uint8_t {
  model,              ///< the model's choice
  no_model,           ///< default: there is no usable model
  outside_region,     ///< default: the input is unlike any that the model was trained on
  constraint_failed,  ///< default: a constraint of the model's choice failed
  next_best,        ///< a constraint of the model's choice failed; this is the next best valid one
  feature_failed,   ///< default: a feature function threw
  forced,           ///< FETTLE_FORCE says so
  infinite_metric,  ///< the variant before it in this call came to an infinite metric
  unexpected_cost,  ///< the model's choice was found to cost more than expected (monitor)
  error_bound,      ///< the model's choice is approximate, and its error may be beyond the bound
};

/// The reason in words, as the decision trace writes it.
constexpr std::string_view to_text(selection_reason reason) noexcept {
  switch (reason) {
    case selection_reason::model:
      return "model";
    case selection_reason::no_model:
      return "no model";
    case selection_reason::outside_region:
      return "outside the trained region";
    case selection_reason::constraint_failed:
      return "constraint failed";
    case selection_reason::next_best:
      return "next best";
    case selection_reason::feature_failed:
      return "feature failed";
    case selection_reason::forced:
      return "forced";
    case selection_reason::infinite_metric:
      return "infinite metric";
    case selection_reason::unexpected_cost:
      return "unexpected cost";
    case selection_reason::error_bound:
      return "error bound";
  }
  return "unknown";
}

/// A selected variant. `variant` points into the code_variant that made the selection.
struct selection {
  /// Position in the order of add_variant; behind these, points of variants with parameters that a
  /// model chooses.
  std::size_t index = 0;
  std::string_view variant;
  selection_reason reason = selection_reason::no_model;
};

}  // namespace fettle
