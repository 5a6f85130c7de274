// What a selection knows of one input.
#pragma once

#include <array>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/selection/call_plan.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Feature values in the model's order, and which variants may run. Left uninitialised where
/// nothing looks at it; 1.5 KiB on the stack.
struct evidence {
  enum class verdict : signed char { unknown, holds, fails };

  bool feature_failed;  // first: with the first few values, all that most calls touch
  std::array<double, maximum_features> values;
  std::array<verdict, model::maximum_classes> verdicts;

  [[nodiscard]] std::span<const double> of(const call_plan& plan) const noexcept {
    return {values.data(), plan.value_count()};
  }
};

/// The arguments of a call with their types erased: features and constraints are evaluated on them
/// in code that is compiled once for all tuned functions.
struct call_view {
  const void* arguments;
  double (*feature)(const erased_code& code, const void* arguments);
  bool (*constraint)(const erased_code& code, const void* arguments);
};

}  // namespace fettle::detail
