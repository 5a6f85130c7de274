// A race between code variants on one input: who runs next, who is out, when it is over.
// Pure bookkeeping: the caller runs the variants and tells the samples; nothing here reads a clock.
#pragma once

#include <cstddef>
#include <limits>
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
/// one in another, so that no variant always follows the same rival, whose data is in the caches:
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
                double best_so_far = std::numeric_limits<double>::infinity());

  /// The variant to run next, or nothing when the race is over.
  std::optional<std::size_t> next();

  /// Adds samples (smaller is better) of variant k, which took `seconds` of wall clock.
  void tell(std::size_t k, std::span<const double> samples, double seconds);

  /// Takes variant k out: it failed.
  void disqualify(std::size_t k);

  bool is_disqualified(std::size_t k) const { return contenders_[k].disqualified; }

  race_outcome outcome() const noexcept { return outcome_; }
  double spent_seconds() const noexcept { return spent_s_; }
  std::span<const double> samples(std::size_t k) const { return contenders_[k].samples; }

  /// The variant with the smallest median, or nothing when none has a sample.
  std::optional<std::size_t> best() const;

 private:
  struct contender {
    std::vector<double> samples;
    bool running = true;
    bool disqualified = false;
  };

  static double minimum(const contender& runner);

  std::optional<std::size_t> next_in_round();

  // Another first variant, and another stride through all of them, so that the order changes.
  void begin_round();

  bool wants_to_run(const contender& runner) const;

  double best_median_but(std::size_t k) const;

  void finish_round();

  bool enough(const contender& runner) const;

  bool clearly_before(const contender& first, const contender& behind) const;

  race_options options_;
  std::vector<contender> contenders_;
  double best_so_far_;
  std::size_t cursor_ = 0;  // how many had their turn in this round
  std::size_t start_ = 0;
  std::size_t stride_ = 1;
  double spent_s_ = 0.0;
  race_outcome outcome_ = race_outcome::running;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/race.ipp>
#endif
