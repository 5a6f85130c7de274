// Which approximate variants of a running function may be selected: those that its model admits on
// an input, as long as no check has seen an error beyond the bound.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/error_gate.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Of one function and its model. Thread-safe. Checks can close it for some inputs or for all, and
/// never open it: a model of another training does.
class quality_gate {
 public:
  /// `variant_of_class` is the deployment's. Refers to the model. Throws fettle::error where the
  /// model was trained for a larger bound than the program's.
  quality_gate(const model::loaded_model& model, const std::vector<std::size_t>& variant_of_class,
               const registry& function);

  /// The class that is to run where the model has chosen another one; nothing: the default.
  [[nodiscard]] std::optional<std::size_t> choice(std::span<const double> features,
                                                  std::size_t chosen) const noexcept;

  /// Whether variant k may follow one that came to nothing: exact ones may.
  [[nodiscard]] bool is_exact(std::size_t k) const noexcept {
    return k >= is_approximate_.size() || !is_approximate_[k];
  }

  /// Whether this call of an approximate variant is to be checked: the first one, and then one in
  /// `every`. No two threads get the same number.
  [[nodiscard]] bool is_due(unsigned every) noexcept {
    return every != 0 && calls_.fetch_add(1, std::memory_order_relaxed) % every == 0;
  }

  /// Takes in the error of a checked run of variant k, in which features were `features`. Beyond
  /// the bound no approximate variant runs from now on; within it, but beyond what the model
  /// predicted, that variant's margin grows by as much. The context's warning handler is
  /// called in both cases.
  void note(std::size_t k, double error, std::span<const double> features, const registry& function,
            context& shared);

  /// ... of one whose error cannot be known; `why` is a part of a sentence.
  void close(std::size_t k, const std::string& why, const registry& function, context& shared);

  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(std::memory_order_relaxed); }

 private:
  const model::loaded_model& model_;
  model::error_gate gate_;
  std::vector<std::size_t> variant_of_class_;
  std::vector<bool> is_approximate_;          // of variants
  std::vector<std::atomic<double>> margins_;  // of classes: what checks have added
  std::atomic<unsigned> calls_{0};
  std::atomic<bool> closed_{false};
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/quality_gate.ipp>
#endif
