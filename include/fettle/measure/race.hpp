// A race between code variants on one input: who runs next, who is out, when it is over.
// Pure bookkeeping: the caller runs the variants and tells the samples; nothing here reads a clock.
#pragma once

#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/statistics.hpp>

namespace fettle::inline FETTLE_ABI {

/// When a race stops. Times in seconds of wall clock; metrics in whatever the variants return.
struct race_options {
  std::size_t minimum_samples = 3;   ///< of every variant that is not hopeless
  std::size_t maximum_samples = 30;  ///< of any variant
  double budget_s = 1.0;             ///< for the whole race; every variant still runs once
  double confidence = 0.95;          ///< at which the order of the two best counts as settled
  double indifference = 0.01;        ///< two medians closer than this fraction need no order
  double hopeless = 4.0;             ///< one sample this many times the best ends a variant's race
  bool racing = true;                ///< false: every variant gets maximum_samples or the budget
};

enum class race_outcome { running, settled, budget, single };

/// Interleaved rounds over the variants still in the race, the first in their order and each later
/// one in another, so that nobody always follows the same rival and has its caches, as
///
///     for (auto k = race.next(); k; k = race.next()) race.tell(*k, samples_of(*k), seconds_spent);
///
/// A variant leaves when all its samples are hopelessly behind or infinite, or when it is behind
/// the best with the wanted confidence and neither first nor second. The race is over when one
/// variant is left, when the order of the two best is settled (or does not matter), or when samples
/// or budget are used up. Not thread-safe. Memory: the samples.
class race {
 public:
  /// A race of `variants` variants; those in `out` (excluded, or measured in an earlier run) do not
  /// start. `best_so_far` is the smallest median of such earlier runs, if any.
  explicit race(std::size_t variants, race_options options = {},
                std::span<const std::size_t> out = {},
                double best_so_far = std::numeric_limits<double>::infinity())
      : options_(options), lanes_(variants), best_so_far_(best_so_far) {
    for (const std::size_t k : out) lanes_[k].running = false;
  }

  /// The variant to run next, or nothing when the race is over.
  std::optional<std::size_t> next() {
    if (outcome_ != race_outcome::running) return std::nullopt;
    if (const auto runner = next_in_round()) return runner;
    finish_round();
    if (outcome_ != race_outcome::running) return std::nullopt;
    begin_round();
    const auto runner = next_in_round();
    if (!runner) outcome_ = race_outcome::budget;  // nobody may run again: all samples are used up
    return runner;
  }

  /// Adds samples (smaller is better) of variant k, which took `seconds` of wall clock.
  void tell(std::size_t k, std::span<const double> samples, double seconds) {
    lane& runner = lanes_[k];
    runner.samples.insert(runner.samples.end(), samples.begin(), samples.end());
    spent_s_ += seconds;
    if (!options_.racing) return;
    const double best = best_median_but(k);
    if (runner.samples.empty()) return;
    const double least = minimum(runner);
    if (!is_finite(least) || least > options_.hopeless * best) runner.running = false;
  }

  /// Takes variant k out: it failed.
  void disqualify(std::size_t k) {
    lanes_[k].running = false;
    lanes_[k].disqualified = true;
  }

  race_outcome outcome() const noexcept { return outcome_; }
  double spent_seconds() const noexcept { return spent_s_; }
  std::span<const double> samples(std::size_t k) const { return lanes_[k].samples; }

  /// The variant with the smallest median, or nothing when none has a sample.
  std::optional<std::size_t> best() const {
    std::optional<std::size_t> winner;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      if (lanes_[k].disqualified || lanes_[k].samples.empty()) continue;
      const double middle = median(lanes_[k].samples);
      if (!winner || middle < smallest) {
        winner = k;
        smallest = middle;
      }
    }
    return winner;
  }

 private:
  struct lane {
    std::vector<double> samples;
    bool running = true;
    bool disqualified = false;
  };

  static double minimum(const lane& runner) {
    return *std::min_element(runner.samples.begin(), runner.samples.end());
  }

  std::optional<std::size_t> next_in_round() {
    while (cursor_ < lanes_.size()) {
      const std::size_t k = (start_ + cursor_++ * stride_) % lanes_.size();
      if (wants_to_run(lanes_[k])) return k;
    }
    return std::nullopt;
  }

  // Another start, and a stride that visits all: whoever follows whom changes with the stride.
  void begin_round() {
    cursor_ = 0;
    const std::size_t count = lanes_.size();
    start_ = (start_ + 1) % count;
    do {
      stride_ = stride_ % count + 1;
    } while (std::gcd(stride_, count) != 1);
  }

  bool wants_to_run(const lane& runner) const {
    if (!runner.running || runner.samples.size() >= options_.maximum_samples) return false;
    return runner.samples.empty() || spent_s_ < options_.budget_s;
  }

  double best_median_but(std::size_t k) const {
    double smallest = best_so_far_;
    for (std::size_t other = 0; other < lanes_.size(); ++other) {
      const lane& rival = lanes_[other];
      if (other == k || rival.disqualified || rival.samples.empty()) continue;
      smallest = std::min(smallest, median(rival.samples));
    }
    return smallest;
  }

  void finish_round() {
    std::vector<std::size_t> running;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      if (lanes_[k].running) running.push_back(k);
    }
    const bool alone = options_.racing && running.size() == 1 && enough(lanes_[running[0]]);
    if (running.empty() || alone) {
      outcome_ = race_outcome::single;
      return;
    }
    if (spent_s_ >= options_.budget_s) {
      outcome_ = race_outcome::budget;
      return;
    }
    if (!options_.racing) return;
    for (const std::size_t k : running) {
      if (!enough(lanes_[k])) return;
    }
    std::sort(running.begin(), running.end(), [this](std::size_t a, std::size_t b) {
      return median(lanes_[a].samples) < median(lanes_[b].samples);
    });
    if (running.size() == 1) return;
    const lane& first = lanes_[running[0]];
    for (std::size_t place = 2; place < running.size(); ++place) {
      lane& behind = lanes_[running[place]];
      if (clearly_before(first, behind)) behind.running = false;
    }
    const lane& second = lanes_[running[1]];
    const double gap = median(second.samples) / median(first.samples) - 1.0;
    const bool no_matter = gap <= options_.indifference && median(first.samples) > 0.0 &&
                           first.samples.size() >= 2 * options_.minimum_samples;
    if (no_matter || clearly_before(first, second)) outcome_ = race_outcome::settled;
  }

  bool enough(const lane& runner) const {
    return runner.samples.size() >= std::min(options_.minimum_samples, options_.maximum_samples);
  }

  bool clearly_before(const lane& first, const lane& behind) const {
    return confidence_smaller(first.samples, behind.samples) >= options_.confidence;
  }

  race_options options_;
  std::vector<lane> lanes_;
  double best_so_far_;
  std::size_t cursor_ = 0;  // how many had their turn in this round
  std::size_t start_ = 0;
  std::size_t stride_ = 1;
  double spent_s_ = 0.0;
  race_outcome outcome_ = race_outcome::running;
};

}  // namespace fettle
