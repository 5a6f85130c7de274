// From decision values of pairs of classes to the chosen variant: one vote a pair, most votes win,
// and of several the class that comes first in the model file, exactly as libsvm's svm_predict.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// Collects the outcome of every pair of classes.
class vote_count {
 public:
  explicit vote_count(std::size_t classes) noexcept : classes_(classes) {
    for (std::size_t c = 0; c < classes_; ++c) {
      votes_[c] = 0;
      sums_[c] = 0;
    }
  }

  /// The decision value of classes first < second: positive is a vote for the first.
  void add(std::size_t first, std::size_t second, double value) noexcept {
    if (value > 0) {
      ++votes_[first];
    } else {
      ++votes_[second];
    }
    sums_[first] += value;
    sums_[second] -= value;
  }

  [[nodiscard]] std::size_t winner() const noexcept {
    std::size_t best = 0;
    for (std::size_t c = 1; c < classes_; ++c) {
      if (votes_[c] > votes_[best]) best = c;
    }
    return best;
  }

  /// A score a variant, larger is better: the votes, and less than half a vote more or less for the
  /// sum of the decision values; the winner half a vote more, so that no tie outranks it. Variants
  /// that the machine does not have are never chosen.
  void write_scores(const std::uint16_t* labels, std::span<double> scores) const noexcept {
    for (double& score : scores) score = -never_chosen;
    const std::size_t best = winner();
    for (std::size_t c = 0; c < classes_; ++c) {
      const double finer = c == best ? 0.5 : 0.49 * sums_[c] / (1 + std::fabs(sums_[c]));
      scores[labels[c]] = votes_[c] + finer;
    }
  }

 private:
  std::size_t classes_;
  std::array<std::uint32_t, maximum_classes> votes_;
  std::array<double, maximum_classes> sums_;
};

}  // namespace fettle::model::detail
