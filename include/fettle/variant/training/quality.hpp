// What set_quality was given, with types erased: how far an approximate variant's output is from
// the exact one, in training and in the checked calls of a running program.
#pragma once

#include <cstddef>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/training/captured_output.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What a call in deployment is made of, besides its arguments.
template <typename... Args>
struct deployed_call {
  const call_plan& plan;
  const registry& function;
  context& shared;
  const reset_function<Args...>& reset;  ///< the constructor's; may be empty
  bool resets_in_training_only;          ///< there is another one
  selection chosen;
};

/// Compiled for the functions that have a set_quality; others hold a null pointer to it.
template <typename Result, typename... Args>
class quality {
 public:
  quality() = default;
  quality(const quality&) = delete;
  quality& operator=(const quality&) = delete;
  virtual ~quality() = default;

  // In training: the default's output is kept, and those of others compared with it.
  virtual void keep_reference(result_pointer<Result> result, observed<Args>... args) = 0;
  virtual void forget() = 0;
  /// Of the last run; nothing where there is no reference. Throws what the capture function throws,
  /// and fettle::error where the quality function throws or returns a negative number or NaN.
  virtual std::optional<double> error(result_pointer<Result> result, observed<Args>... args) = 0;

  /// Runs an approximate variant that a model has chosen. Where its turn has come it is checked:
  /// the exact default runs after it on the same inputs, and its result is what the caller gets.
  virtual Result call(const deployed_call<Args...>& it, Args&&... args) = 0;
};

}  // namespace fettle::detail
