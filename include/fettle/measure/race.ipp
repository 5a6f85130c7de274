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
    : options_(options), lanes_(variants), best_so_far_(best_so_far) {
  for (const std::size_t k : out) lanes_[k].running = false;
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::next() {
  if (outcome_ != race_outcome::running) return std::nullopt;
  if (const auto runner = next_in_round()) return runner;
  finish_round();
  if (outcome_ != race_outcome::running) return std::nullopt;
  begin_round();
  const auto runner = next_in_round();
  if (!runner) outcome_ = race_outcome::budget;  // nobody may run again: all samples are used up
  return runner;
}

[[gnu::cold]] FETTLE_INLINE void race::tell(std::size_t k, std::span<const double> samples,
                                            double seconds) {
  lane& runner = lanes_[k];
  runner.samples.insert(runner.samples.end(), samples.begin(), samples.end());
  spent_s_ += seconds;
  if (!options_.racing) return;
  const double best = best_median_but(k);
  if (runner.samples.empty()) return;
  const double least = minimum(runner);
  if (!is_finite(least) || least > options_.hopeless * best) runner.running = false;
}

[[gnu::cold]] FETTLE_INLINE void race::disqualify(std::size_t k) {
  lanes_[k].running = false;
  lanes_[k].disqualified = true;
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::best() const {
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

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> race::next_in_round() {
  while (cursor_ < lanes_.size()) {
    const std::size_t k = (start_ + cursor_++ * stride_) % lanes_.size();
    if (wants_to_run(lanes_[k])) return k;
  }
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE void race::begin_round() {
  cursor_ = 0;
  const std::size_t count = lanes_.size();
  start_ = (start_ + 1) % count;
  do {
    stride_ = stride_ % count + 1;
  } while (std::gcd(stride_, count) != 1);
}

[[gnu::cold]] FETTLE_INLINE bool race::wants_to_run(const lane& runner) const {
  if (!runner.running || runner.samples.size() >= options_.maximum_samples) return false;
  return runner.samples.empty() || spent_s_ < options_.budget_s;
}

[[gnu::cold]] FETTLE_INLINE double race::best_median_but(std::size_t k) const {
  double smallest = best_so_far_;
  for (std::size_t other = 0; other < lanes_.size(); ++other) {
    const lane& rival = lanes_[other];
    if (other == k || rival.disqualified || rival.samples.empty()) continue;
    smallest = std::min(smallest, median(rival.samples));
  }
  return smallest;
}

[[gnu::cold]] FETTLE_INLINE void race::finish_round() {
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

[[gnu::cold]] FETTLE_INLINE double race::minimum(const lane& runner) {
  return *std::min_element(runner.samples.begin(), runner.samples.end());
}

[[gnu::cold]] FETTLE_INLINE bool race::enough(const lane& runner) const {
  return runner.samples.size() >= std::min(options_.minimum_samples, options_.maximum_samples);
}

[[gnu::cold]] FETTLE_INLINE bool race::clearly_before(const lane& first, const lane& behind) const {
  return confidence_smaller(first.samples, behind.samples) >= options_.confidence;
}

}  // namespace fettle
