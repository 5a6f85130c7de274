// Definitions of variant_sampler.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/metric.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/measure/warm_up.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/training/trainee.hpp>
#include <fettle/variant/training/training_log.hpp>
#include <fettle/variant/training/variant_sampler.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void variant_sampler::make_reference() {
  const std::string& name = function_.variants[function_.default_index];
  log_.started(call_, name, limit_seconds(1));
  try {
    if (is_lost(function_.run(function_.default_index, 1))) return;
    function_.keep_reference();
  } catch (...) {
    log_.failed(call_, name, "exception when run again as the reference for verification");
  }
}

[[gnu::cold]] FETTLE_INLINE bool variant_sampler::warm_up(std::size_t k, const std::string& name,
                                                          progress& known) {
  log_.started(call_, name, limit_seconds(request_.warm_up + 1));
  return survives(name, [&] {
    const timer clock;
    if (!is_right(k, known)) {
      log_.failed(
          call_, name,
          "wrong result: differs from that of " + function_.variants[function_.default_index]);
      return false;
    }
    if (!known.early.metrics.empty() && !is_sampled(name, known.early)) {
      return false;
    }
    known.warm_up_s = clock.seconds();
    return true;
  });
}

[[gnu::cold]] FETTLE_INLINE void variant_sampler::run_batch(std::size_t k, const std::string& name,
                                                            std::size_t contender, race& contest,
                                                            progress& known) {
  measured_runs runs = std::exchange(known.early, {});
  const timer clock;
  if (runs.metrics.empty()) {
    const std::size_t samples = known.seconds < shortest_batch_s ? 3 : 1;
    // A variant that has ended before is not a hang as soon as the best is so much faster.
    const double longest = std::isfinite(known.seconds) ? own_limit * known.seconds : 0.0;
    log_.started(call_, name, limit_seconds(samples * known.repeat, longest));
    const bool ran = survives(name, [&] {
      // Between two batches other variants had the caches; a short run would mostly tell of that.
      if (samples > 1) static_cast<void>(function_.run(k, 1));
      while (runs.metrics.size() < samples) {
        keep(function_.run(k, known.repeat), known, runs);
      }
      return is_sampled(name, runs);
    });
    if (!ran) {
      contest.disqualify(contender);
      return;
    }
  }
  for (double& metric : runs.metrics) {
    if (is_infinite_cost(metric, function_.larger_is_better)) {
      metric = std::numeric_limits<double>::infinity();
    } else if (function_.larger_is_better) {
      metric = 1.0 / metric;
    }
  }
  contest.tell(contender, runs.metrics, clock.seconds() + std::exchange(known.warm_up_s, 0.0));
}

[[gnu::cold]] FETTLE_INLINE void variant_sampler::meter(std::size_t k, const std::string& name) {
  log_.started(call_, name, limit_seconds(3) + metering_s);
  survives(name, [&] {
    log_.metered(call_, name, function_.metered, function_.meter(k));
    return true;
  });
}

[[gnu::cold]] FETTLE_INLINE double variant_sampler::limit_seconds(std::size_t runs,
                                                                  double longest_s) const {
  if (!std::isfinite(best_seconds_)) return request_.timeout_s;
  return std::max(request_.limit_floor_s,
                  std::max(request_.limit * best_seconds_, longest_s) * static_cast<double>(runs));
}

[[gnu::cold]] FETTLE_INLINE bool variant_sampler::is_sampled(const std::string& name,
                                                             const measured_runs& runs) {
  for (const double metric : runs.metrics) {
    if (is_finite(metric) || is_infinite_cost(metric, function_.larger_is_better)) continue;
    log_.failed(call_, name, "its metric is " + number_text(metric) + ", which is not a cost");
    return false;
  }
  log_.sampled(call_, name, runs.metrics, runs.lost_s, runs.output, function_.metrics, runs.others);
  return true;
}

[[gnu::cold]] FETTLE_INLINE bool variant_sampler::is_right(std::size_t k, progress& known) {
  training_run run = function_.run(k, 1);
  if (is_lost(run)) {
    keep(run, known, known.early);
    return true;
  }
  if (k == function_.default_index) {
    if (function_.keep_reference) function_.keep_reference();
  } else if (function_.compared) {
    known.early.output = function_.compared(k);
    if (!known.early.output.agrees) return false;
  }
  fettle::warm_up runs({.minimum_runs = request_.warm_up});
  runs.tell(run.seconds);
  const bool beyond_hope = run.seconds > 10e-3 && run.seconds > request_.limit * best_seconds_;
  if (beyond_hope || request_.warm_up == 0) {
    keep(run, known, known.early);
  } else {
    while (runs.wants_more()) runs.tell(function_.run(k, 1).seconds);
  }
  note_seconds({run.metric, runs.fastest()}, known);
  if (function_.may_repeat && runs.fastest() < request_.sample_s) {
    known.repeat =
        static_cast<std::size_t>(std::ceil(request_.sample_s / std::max(runs.fastest(), 1e-9)));
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE void variant_sampler::keep(const training_run& run, progress& known,
                                                       measured_runs& runs) {
  note_seconds(run, known);
  if (is_lost(run)) runs.lost_s = run.seconds;
  runs.metrics.push_back(run.metric);
  if (runs.others.size() < run.others.size()) runs.others.resize(run.others.size());
  for (std::size_t i = 0; i < run.others.size(); ++i) runs.others[i].push_back(run.others[i]);
}

[[gnu::cold]] FETTLE_INLINE void variant_sampler::note_seconds(const training_run& run,
                                                               progress& known) {
  known.seconds = std::min(known.seconds, run.seconds);
  if (!is_lost(run)) best_seconds_ = std::min(best_seconds_, run.seconds);
}

}  // namespace fettle::detail
