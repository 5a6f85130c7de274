// Definitions of race.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/statistics.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE race::race(std::size_t variants, race_options options,
                                       std::span<const std::size_t> out, double best_so_far)
    : options_(options), contenders_(variants), best_so_far_(best_so_far) {
  for (const std::size_t k : out) contenders_[k].running = false;
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::next() {
  if (outcome_ != race_outcome::running) return std::nullopt;
  if (const auto runner = next_in_round()) return runner;
  finish_round();
  if (outcome_ != race_outcome::running) return std::nullopt;
  begin_round();
  const auto runner = next_in_round();
  if (!runner)
    outcome_ = race_outcome::budget;  // no variant may run again: all samples are used up
  return runner;
}

[[gnu::cold]] FETTLE_INLINE void race::tell(std::size_t k, std::span<const double> samples,
                                            double seconds) {
  contender& runner = contenders_[k];
  runner.samples.insert(runner.samples.end(), samples.begin(), samples.end());
  spent_s_ += seconds;
  if (!options_.racing) return;
  const double best = best_median_but(k);
  if (runner.samples.empty()) return;
  const double least = minimum(runner);
  if (!is_finite(least) || least > options_.hopeless * best) runner.running = false;
}

[[gnu::cold]] FETTLE_INLINE void race::disqualify(std::size_t k) {
  contenders_[k].running = false;
  contenders_[k].disqualified = true;
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::best() const {
  std::optional<std::size_t> winner;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < contenders_.size(); ++k) {
    if (contenders_[k].disqualified || contenders_[k].samples.empty()) continue;
    const double middle = median(contenders_[k].samples);
    if (!winner || middle < smallest) {
      winner = k;
      smallest = middle;
    }
  }
  return winner;
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::next_in_round() {
  while (cursor_ < contenders_.size()) {
    const std::size_t k = (start_ + cursor_++ * stride_) % contenders_.size();
    if (wants_to_run(contenders_[k])) return k;
  }
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE void race::begin_round() {
  cursor_ = 0;
  const std::size_t count = contenders_.size();
  start_ = (start_ + 1) % count;
  do {
    stride_ = stride_ % count + 1;
  } while (std::gcd(stride_, count) != 1);
}

[[gnu::cold]] FETTLE_INLINE bool race::wants_to_run(const contender& runner) const {
  if (!runner.running || runner.samples.size() >= options_.maximum_samples) return false;
  return runner.samples.empty() || spent_s_ < options_.budget_s;
}

[[gnu::cold]] FETTLE_INLINE double race::best_median_but(std::size_t k) const {
  double smallest = best_so_far_;
  for (std::size_t other = 0; other < contenders_.size(); ++other) {
    const contender& rival = contenders_[other];
    if (other == k || rival.disqualified || rival.samples.empty()) continue;
    smallest = std::min(smallest, median(rival.samples));
  }
  return smallest;
}

[[gnu::cold]] FETTLE_INLINE void race::finish_round() {
  std::vector<std::size_t> running;
  for (std::size_t k = 0; k < contenders_.size(); ++k) {
    if (contenders_[k].running) running.push_back(k);
  }
  const bool alone = options_.racing && running.size() == 1 && enough(contenders_[running[0]]);
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
    if (!enough(contenders_[k])) return;
  }
  std::sort(running.begin(), running.end(), [this](std::size_t a, std::size_t b) {
    return median(contenders_[a].samples) < median(contenders_[b].samples);
  });
  if (running.size() == 1) return;
  const contender& first = contenders_[running[0]];
  for (std::size_t rank = 2; rank < running.size(); ++rank) {
    contender& behind = contenders_[running[rank]];
    if (clearly_before(first, behind)) behind.running = false;
  }
  const contender& second = contenders_[running[1]];
  const double gap = median(second.samples) / median(first.samples) - 1.0;
  const bool no_matter = gap <= options_.indifference && median(first.samples) > 0.0 &&
                         first.samples.size() >= 2 * options_.minimum_samples;
  if (no_matter || clearly_before(first, second)) outcome_ = race_outcome::settled;
}

[[gnu::cold]] FETTLE_INLINE double race::minimum(const contender& runner) {
  return *std::min_element(runner.samples.begin(), runner.samples.end());
}

[[gnu::cold]] FETTLE_INLINE bool race::enough(const contender& runner) const {
  return runner.samples.size() >= std::min(options_.minimum_samples, options_.maximum_samples);
}

[[gnu::cold]] FETTLE_INLINE bool race::clearly_before(const contender& first,
                                                      const contender& behind) const {
  return confidence_smaller(first.samples, behind.samples) >= options_.confidence;
}

}  // namespace fettle
