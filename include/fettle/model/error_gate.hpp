// error_gate: which approximate variants may run on an input, and what runs where the model chose
// one that may not.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/loaded_model.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// A value, immutable: any number of threads may ask it. Allocates nothing after it is made.
class error_gate {
 public:
  /// `approximate` says of each class whether the program calls it approximate; those that the
  /// model calls so are added.
  explicit error_gate(const loaded_model& model, const std::vector<bool>& approximate = {});

  /// The error model's inputs for one input of the function.
  struct known_input {
    std::array<double, maximum_inputs> scaled;
    bool inside;  ///< within the ranges that the error model was trained on
  };
  [[nodiscard]] known_input known(std::span<const double> features) const noexcept;

  [[nodiscard]] bool is_approximate(std::size_t c) const noexcept { return classes_[c].checked; }

  /// The largest ln(error / bound) that the model allows for: above 0 where class c must not run,
  /// infinite for one without an admission, minus infinity for an exact one.
  [[nodiscard]] double limit(std::size_t c, const known_input& input) const noexcept;

  /// The class to run where `chosen` was: itself, or where that must not run the one that the
  /// predictor ranks highest of those that may and that it may choose. Nothing where there is none.
  /// `tightened(c)` is added to the limit of class c.
  template <typename Tightened>
  [[nodiscard]] std::optional<std::size_t> choice(const predictor& model,
                                                  std::span<const double> features,
                                                  std::size_t chosen,
                                                  const Tightened& tightened) const noexcept {
    const known_input input = known(features);
    const auto admits = [&](std::size_t c) {
      return !is_approximate(c) || limit(c, input) + tightened(c) <= 0;
    };
    if (admits(chosen)) return chosen;
    std::array<double, maximum_classes> all;
    const std::span<double> scores(all.data(), classes_.size());
    static_cast<void>(model.decide(features, scores));
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < scores.size(); ++c) {
      if (scores[c] <= -never_chosen || (best && scores[c] <= scores[*best])) continue;
      if (admits(c)) best = c;
    }
    return best;
  }

 private:
  struct known_class {
    bool checked = false;   // approximate
    bool admitted = false;  // on some inputs
    double constant = 0;
    std::vector<double> slopes{};
  };

  std::vector<known_class> classes_;
  input_stage stage_;
};

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/error_gate.ipp>
#endif
