// Runs of the variants of one call in training: each is announced in the training log before it
// begins, with its limit, and verified, warmed up and timed; what it throws is written to the log.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/metric.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/measure/warm_up.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/training/trainee.hpp>
#include <fettle/variant/training/training_log.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Of one call. What a user's function throws ends in the log.
class variant_sampler {
 public:
  /// What is known of the runs of a variant on this call.
  struct progress {
    std::size_t repeat = 1;
    double seconds = std::numeric_limits<double>::infinity();  ///< the fastest run
    double warm_up_s = 0.0;                                    ///< not yet told to the race
    measured_runs early;  ///< of the warm-up: samples in the log but not yet told to the race
  };

  /// `best_s` is what the fastest run of the call so far took; infinite where none is known.
  variant_sampler(const trainee& function, std::size_t call, const training_request& request,
                  training_log& log, double best_s)
      : function_(function), call_(call), request_(request), log_(log), best_seconds_(best_s) {}

  /// Seconds of the fastest run of the call; infinite before the first.
  double best_seconds() const noexcept { return best_seconds_; }

  /// Runs the default for its output only, where it was measured in an earlier start.
  void make_reference() {
    const std::string& name = function_.variants[function_.default_index];
    log_.started(call_, name, limit_seconds(1));
    try {
      if (is_lost(function_.run(function_.default_index, 1))) return;
      function_.keep_reference();
    } catch (...) {
      log_.failed(call_, name, "exception when run again as the reference for verification");
    }
  }

  /// Warms a variant up; false, and the log says why, where it failed.
  bool warm_up(std::size_t k, const std::string& name, progress& known) {
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

  /// One batch of samples, for the race and the log; a variant that fails is out of the race.
  void run_batch(std::size_t k, const std::string& name, std::size_t place, race& contest,
                 progress& known) {
    measured_runs runs = std::exchange(known.early, {});
    const timer clock;
    if (runs.metrics.empty()) {
      const std::size_t samples = known.seconds < shortest_batch_s ? 3 : 1;
      // A variant that has ended before is no hang as soon as the best is so much faster.
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
        contest.disqualify(place);
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
    contest.tell(place, runs.metrics, clock.seconds() + std::exchange(known.warm_up_s, 0.0));
  }

 private:
  static constexpr double shortest_batch_s = 0.5e-3;
  static constexpr double own_limit = 5.0;  // times the fastest run of the variant itself

  /// `longest_s` is what one of the runs may take by what is known of the variant itself.
  double limit_seconds(std::size_t runs, double longest_s = 0.0) const {
    if (!std::isfinite(best_seconds_)) return request_.timeout_s;
    return std::max(request_.limit_floor_s, std::max(request_.limit * best_seconds_, longest_s) *
                                                static_cast<double>(runs));
  }

  /// Runs `batch`; false, and the log says so, where it threw.
  template <typename Batch>
  bool survives(const std::string& name, Batch batch) {
    try {
      return batch();
    } catch (const std::exception& problem) {
      log_.failed(call_, name, std::string("exception: ") + problem.what());
    } catch (...) {
      log_.failed(call_, name, "exception of a type not derived from std::exception");
    }
    return false;
  }

  /// Writes samples to the log; false, and the log says so, where one is no cost.
  bool is_sampled(const std::string& name, const measured_runs& runs) {
    for (const double metric : runs.metrics) {
      if (is_finite(metric) || is_infinite_cost(metric, function_.larger_is_better)) continue;
      log_.failed(call_, name, "its metric is " + number_text(metric) + ", which is no cost");
      return false;
    }
    log_.sampled(call_, name, runs.metrics, runs.lost_s, runs.output.same_bits);
    return true;
  }

  /// First runs of a variant: verifies its output, runs it until it is warm, finds how many runs
  /// make a sample long enough to time. A variant far beyond the limit, or that comes to an
  /// infinite metric and so to no output, gives a sample here. False: wrong.
  bool is_right(std::size_t k, progress& known) {
    training_run run = function_.run(k, 1);
    if (is_lost(run)) {
      keep(run, known, known.early);
      return true;
    }
    if (k == function_.default_index) {
      if (function_.keep_reference) function_.keep_reference();
    } else if (function_.compared) {
      known.early.output = function_.compared();
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

  /// Whether a run came to nothing: no failure, but a cost without bounds.
  bool is_lost(const training_run& run) const {
    return is_infinite_cost(run.metric, function_.larger_is_better);
  }

  void keep(const training_run& run, progress& known, measured_runs& runs) {
    note_seconds(run, known);
    if (is_lost(run)) runs.lost_s = run.seconds;
    runs.metrics.push_back(run.metric);
  }

  // What came to nothing may have done so at once: that is no measure of what a run may take.
  void note_seconds(const training_run& run, progress& known) {
    known.seconds = std::min(known.seconds, run.seconds);
    if (!is_lost(run)) best_seconds_ = std::min(best_seconds_, run.seconds);
  }

  const trainee& function_;
  std::size_t call_;
  const training_request& request_;
  training_log& log_;
  double best_seconds_;
};

}  // namespace fettle::detail
