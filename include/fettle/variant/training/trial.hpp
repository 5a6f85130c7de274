// One call of a tuned function in training: what training.hpp asks of it, by numbers of variants,
// features and constraints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/training/trainee.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Runs erased callables on one call's arguments, whose types it knows.
class call_in_training {
 public:
  call_in_training() = default;
  call_in_training(const call_in_training&) = delete;
  call_in_training& operator=(const call_in_training&) = delete;

  /// Restores the inputs, where there is a way to.
  virtual void reset() = 0;
  /// Runs a variant `repeat` times; the mean time of a run, and as metric what the last returned.
  virtual training_run run(const any_call& variant, std::size_t repeat) = 0;
  virtual double evaluate(const any_call& feature) = 0;
  virtual bool holds(const any_call& constraint) = 0;
  /// Of the last run, for verification.
  virtual void keep_reference() = 0;
  virtual output_comparison compared(bool is_approximate) = 0;

  bool verifies = false;       ///< whether keep_reference() and compared() may be called
  bool times_results = false;  ///< what variants return is a result, not their metric
  bool resets = false;         ///< runs begin with a reset of the inputs
  bool cheap_to_pass = false;  ///< a sample may be of several runs
  std::string misuse;          ///< why training is impossible; empty where it is possible

 protected:
  ~call_in_training() = default;
};

/// Measures variants of `function` in the training session of this process: those in `tables`,
/// whose names are `variants`, or by default the registered ones. Leaves the inputs as the caller's
/// own run of the default has to find them.
void measure_variants(const training_request& request, const registered& function,
                      call_in_training& call);
void measure_contenders(const training_request& request, const registered& function,
                        const variant_tables& tables, const std::vector<std::string>& variants,
                        call_in_training& call);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/trial.ipp>
#endif
