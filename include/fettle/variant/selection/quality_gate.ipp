// Definitions of quality_gate.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/selection/quality_gate.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::vector<bool> approximate_classes(
    const std::vector<std::size_t>& variant_of_class, const registry& function) {
  std::vector<bool> found;
  found.reserve(variant_of_class.size());
  for (const std::size_t k : variant_of_class) found.push_back(function.is_approximate(k));
  return found;
}

[[gnu::cold]] FETTLE_INLINE quality_gate::quality_gate(
    const model::loaded_model& model, const std::vector<std::size_t>& variant_of_class,
    const registry& function)
    : model_(model),
      gate_(model, approximate_classes(variant_of_class, function)),
      variant_of_class_(variant_of_class),
      margins_(variant_of_class.size()) {
  if (function.bound && *function.bound < model.errors.bound) {
    throw error("the model was trained for errors of at most " + number_text(model.errors.bound) +
                ", the program's set_quality asks for at most " + number_text(*function.bound) +
                "; run the tuning script again");
  }
  closed_ = !function.bound;
  for (std::size_t k = 0; k < function.variants.size(); ++k) {
    is_approximate_.push_back(function.is_approximate(k));
  }
  for (std::size_t c = 0; c < variant_of_class.size(); ++c) {
    if (gate_.is_approximate(c)) is_approximate_[variant_of_class[c]] = true;
  }
}

FETTLE_INLINE std::optional<std::size_t> quality_gate::choice(std::span<const double> features,
                                                              std::size_t chosen) const noexcept {
  const bool closed = is_closed();
  return gate_.choice(model_.predictor, features, chosen, [&](std::size_t c) {
    return closed ? std::numeric_limits<double>::infinity()
                  : margins_[c].load(std::memory_order_relaxed);
  });
}

[[gnu::cold]] FETTLE_INLINE void quality_gate::note(std::size_t k, double error,
                                                    std::span<const double> features,
                                                    const registry& function, context& shared) {
  if (is_nan(error) || error < 0) {
    close(k, "its quality function returned " + number_text(error) + "; an error is 0 or more",
          function, shared);
    return;
  }
  const double bound = model_.errors.bound;
  if (!(error <= bound)) {
    close(k, "its error was " + number_text(error) + ", the bound is " + number_text(bound),
          function, shared);
    return;
  }
  const auto found = std::find(variant_of_class_.begin(), variant_of_class_.end(), k);
  if (error == 0 || bound == 0 || found == variant_of_class_.end() || features.empty()) return;
  const auto c = static_cast<std::size_t>(found - variant_of_class_.begin());
  const double beyond = std::log(error / bound) - gate_.limit(c, gate_.known(features));
  double known = margins_[c].load();
  if (!is_finite(beyond) || beyond <= known) return;
  while (beyond > known && !margins_[c].compare_exchange_weak(known, beyond)) {
  }
  shared.warn_once(std::string(function.settings.name) + ": the error of " + function.variants[k] +
                   " exceeds what its model predicts, within the bound; it is now selected only "
                   "where more is left to the bound. If it stays so, run the tuning script again");
}

[[gnu::cold]] FETTLE_INLINE void quality_gate::close(std::size_t k, const std::string& why,
                                                     const registry& function, context& shared) {
  closed_ = true;
  shared.warn_once(std::string(function.settings.name) + ": a check of " + function.variants[k] +
                   " failed: " + why +
                   "; exact variants run from now on. Have the inputs changed? Run the tuning "
                   "script again with inputs like these");
}

}  // namespace fettle::detail
