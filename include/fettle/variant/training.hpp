// Training in process (design 3.1, docs/formats.md section 2): one call of a tuned function
// measures every variant on that call's input, in a race, and writes each step to the training log
// before it is taken, so that a variant that crashes or hangs is known by name and costs nothing
// else.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/metric.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/measure/warm_up.hpp>
#include <fettle/variant/point_source.hpp>
#include <fettle/variant/training_log.hpp>
#include <fettle/variant/training_request.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// One run (or `repeat` runs in a row) of a variant.
struct training_run {
  double metric = 0.0;   ///< of one run
  double seconds = 0.0;  ///< wall clock of one run, without resetting the inputs
};

/// The last run's output beside the default's.
struct output_comparison {
  bool agrees = true;
  std::optional<bool> same_bits;  ///< empty where they cannot be compared
};

/// The runs of one batch that have been measured.
struct measured_runs {
  std::vector<double> metrics;
  std::optional<double> lost_s;  ///< what the last one took that came to an infinite metric
  output_comparison output;      ///< of a variant's first run
};

/// What training asks of the function in training. All may throw what the user's code throws.
struct trainee {
  std::span<const std::string> variants;
  std::span<const std::string> features;
  std::size_t default_index = 0;
  bool larger_is_better = false;
  bool timed = true;        ///< false: variants return their metric
  bool may_repeat = false;  ///< a sample may be of several runs
  std::string parameters;   ///< of the variants, as parameters_json() says; empty: they have none
  std::string versions;     ///< likewise, as versions_json() says
  std::string misuse;       ///< why training is impossible; empty where it is possible
  std::function<double(std::size_t feature)> evaluate;
  std::function<bool(std::size_t variant)> constraints_hold;
  std::function<training_run(std::size_t variant, std::size_t repeat)> run;
  /// The number by which a point of a variant's parameters is run; throws where there is none such.
  std::function<std::size_t(const std::string& point)> at_point;
  std::function<void()> keep_reference;  ///< the default's output, after its run; may be empty
  std::function<output_comparison()> compared;  ///< of the last run; may be empty
};

/// The state of training in this process: which call it is, what has been measured.
class training_session {
 public:
  explicit training_session(const training_request& request)
      : request_(request), log_(request.log_path) {}

  /// The session of this process. `request` is active_training().
  static training_session& instance(const training_request& request) {
    static training_session session(request);
    return session;
  }

  /// Measures one call, or does nothing where the request says so, where this is a call from within
  /// a call in training (a recursive variant), or from another thread meanwhile. True: variants
  /// ran, and the inputs are as the last one left them.
  bool measure(const trainee& function) {
    bool idle = false;
    if (!busy_.compare_exchange_strong(idle, true)) return false;
    struct release {
      std::atomic<bool>& flag;
      ~release() { flag = false; }
    } const released{busy_};
    if (!header_written_) {
      log_.header(request_.function, function.variants, function.features,
                  function.variants[function.default_index], function.timed,
                  function.larger_is_better, function.parameters, function.versions);
      header_written_ = true;
    }
    const std::size_t call = next_call_++;
    if (call < request_.first_call || call >= request_.max_calls) return false;
    if (!function.misuse.empty()) {
      log_.misused(function.misuse);
      return false;
    }
    if (!evaluate_features(function, call) || request_.features_only) return false;
    if (request_.points_from.empty()) {
      run_race(function, call);
    } else {
      run_points(function, call);
    }
    return true;
  }

 private:
  /// What is known of the runs of a variant on this call.
  struct lane {
    std::size_t repeat = 1;
    double seconds = std::numeric_limits<double>::infinity();  ///< the fastest run
    double warm_up_s = 0.0;                                    ///< not yet told to the race
    measured_runs early;  ///< of the warm-up: samples in the log but not yet told to the race
  };

  static constexpr double unknown = std::numeric_limits<double>::infinity();
  static constexpr double feature_sample_s = 20e-6;  // a thousand times the clock's resolution
  static constexpr double shortest_batch_s = 0.5e-3;
  static constexpr double own_limit = 5.0;       // times the fastest run of the variant itself
  static constexpr double hopeless_point = 1.5;  // times the best: one batch of it says enough

  /// False where the call cannot or need not be measured.
  bool evaluate_features(const trainee& function, std::size_t call) {
    std::vector<double> values;
    std::vector<double> nanoseconds;
    std::vector<std::string> problems(function.features.size());  // empty: the feature has a value
    bool complete = true;
    for (std::size_t i = 0; i < function.features.size(); ++i) {
      double value = 0.0;
      std::vector<double> times;
      try {
        const timer once;
        value = function.evaluate(i);
        // Many evaluations a reading of the clock, which costs more than most features.
        const auto repeat = static_cast<std::size_t>(
            std::clamp(feature_sample_s / std::max(once.seconds(), 1e-9), 1.0, 1000.0));
        for (int round = 0; round < 3; ++round) {
          const timer clock;
          for (std::size_t k = 0; k < repeat; ++k) value = function.evaluate(i);
          times.push_back(clock.seconds() * 1e9 / static_cast<double>(repeat));
        }
      } catch (const std::exception& problem) {
        problems[i] = std::string("threw: ") + problem.what();
      } catch (...) {
        problems[i] = "threw an exception of a type not derived from std::exception";
      }
      const bool known = problems[i].empty();
      values.push_back(known ? value : std::numeric_limits<double>::quiet_NaN());
      nanoseconds.push_back(known ? median(times) : 0.0);
      complete = complete && known;
    }
    // An iterative solver calls with one matrix a thousand times: one call says it all.
    std::vector<std::uint64_t> key;  // bits, not doubles: NaN has no order
    key.reserve(values.size());
    for (const double value : values) key.push_back(std::bit_cast<std::uint64_t>(value));
    if (!measured_.insert(key).second) return false;
    log_.call(call, request_.input, function.features, values, nanoseconds, problems);
    return complete;  // a model cannot learn from an input that lacks a feature
  }

  void run_race(const trainee& function, std::size_t call) {
    // The default runs first: it is the reference for verification and the usual yardstick.
    std::vector<std::size_t> order(function.variants.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::swap(order[0], order[function.default_index]);

    std::vector<std::size_t> out;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::size_t k = order[place];
      if (call == request_.first_call && done_before(function.variants[k])) {
        out.push_back(place);
      } else if (const std::string reason = why_excluded(function, k); !reason.empty()) {
        log_.excluded(call, function.variants[k], reason);
        out.push_back(place);
      }
    }
    best_seconds_ =
        call == request_.first_call ? request_.best_s : std::numeric_limits<double>::infinity();
    const bool anything_left = out.size() < order.size();
    const bool default_skipped = !out.empty() && out[0] == 0;
    if (default_skipped && anything_left && function.keep_reference) {
      make_reference(function, call);
    }

    race contest(order.size(), request_.race, out, reference_metric(function));
    std::vector<lane> lanes(order.size());
    // All are warm before the first sample of any: the process warms up too.
    for (std::size_t place = 0; place < order.size(); ++place) {
      if (std::find(out.begin(), out.end(), place) != out.end()) continue;
      const std::size_t k = order[place];
      if (!is_warm(function, call, k, function.variants[k], lanes[place])) {
        contest.disqualify(place);
      }
    }
    while (const std::optional<std::size_t> place = contest.next()) {
      const std::size_t k = order[*place];
      run_batch(function, call, k, function.variants[k], *place, contest, lanes[*place]);
    }
    const std::optional<std::size_t> best = contest.best();
    log_.ended(call, contest.outcome(), best ? function.variants[order[*best]] : std::string());
  }

  /// Measures one point after the other, as the tuner's search strategy asks for them.
  void run_points(const trainee& function, std::size_t call) {
    best_seconds_ = request_.best_s;
    best_point_ = request_.best_s;
    if (function.keep_reference) make_reference(function, call);
    point_source points(request_.points_from);
    while (const std::optional<std::string> name = points.next()) {
      try {
        measure_point(function, call, *name, function.at_point(*name));
      } catch (const error& problem) {
        log_.failed(call, *name, problem.what());
      }
    }
  }

  void measure_point(const trainee& function, std::size_t call, const std::string& name,
                     std::size_t k) {
    if (const std::string reason = why_excluded(function, k); !reason.empty()) {
      log_.excluded(call, name, reason);
      return;
    }
    race_options options = request_.race;
    options.hopeless = hopeless_point;
    // Beside medians: the fastest run of all may have been in a mode of the machine that the point
    // is not in now, and would make it out to be hopeless.
    const double best = function.timed ? best_point_ : double{unknown};
    race alone(1, options, {}, best);
    lane runner;
    if (!is_warm(function, call, k, name, runner)) return;
    while (alone.next()) run_batch(function, call, k, name, 0, alone, runner);
    if (!alone.best()) return;
    log_.measured(call, name);
    best_point_ = std::min(best_point_, median(alone.samples(0)));
  }

  bool done_before(const std::string& variant) const {
    return std::find(request_.skip.begin(), request_.skip.end(), variant) != request_.skip.end();
  }

  std::string why_excluded(const trainee& function, std::size_t k) const {
    try {
      return function.constraints_hold(k) ? "" : "constraint failed";
    } catch (const std::exception& problem) {
      return std::string("constraint threw: ") + problem.what();
    } catch (...) {
      return "constraint threw";
    }
  }

  /// A variant that was measured before gives a bar for hopeless ones only where metrics are times.
  double reference_metric(const trainee& function) const {
    return function.timed ? best_seconds_ : std::numeric_limits<double>::infinity();
  }

  void make_reference(const trainee& function, std::size_t call) {
    const std::string& name = function.variants[function.default_index];
    log_.started(call, name, limit_seconds(1));
    try {
      if (is_lost(function, function.run(function.default_index, 1))) return;
      function.keep_reference();
    } catch (...) {
      log_.failed(call, name, "exception when run again as the reference for verification");
    }
  }

  /// `longest_s` is what one of the runs may take by what is known of the variant itself.
  double limit_seconds(std::size_t runs, double longest_s = 0.0) const {
    if (!std::isfinite(best_seconds_)) return request_.timeout_s;
    return std::max(request_.limit_floor_s, std::max(request_.limit * best_seconds_, longest_s) *
                                                static_cast<double>(runs));
  }

  /// Runs `batch`; false, and the log says so, where it threw.
  template <typename Batch>
  bool survives(std::size_t call, const std::string& name, Batch batch) {
    try {
      return batch();
    } catch (const std::exception& problem) {
      log_.failed(call, name, std::string("exception: ") + problem.what());
    } catch (...) {
      log_.failed(call, name, "exception of a type not derived from std::exception");
    }
    return false;
  }

  /// Warms a variant up; false, and the log says why, where it failed.
  bool is_warm(const trainee& function, std::size_t call, std::size_t k, const std::string& name,
               lane& runner) {
    log_.started(call, name, limit_seconds(request_.warm_up + 1));
    return survives(call, name, [&] {
      const timer clock;
      if (!warm(function, k, runner)) {
        log_.failed(
            call, name,
            "wrong result: differs from that of " + function.variants[function.default_index]);
        return false;
      }
      if (!runner.early.metrics.empty() && !is_sampled(function, call, name, runner.early)) {
        return false;
      }
      runner.warm_up_s = clock.seconds();
      return true;
    });
  }

  void run_batch(const trainee& function, std::size_t call, std::size_t k, const std::string& name,
                 std::size_t place, race& contest, lane& runner) {
    measured_runs runs = std::exchange(runner.early, {});
    const timer clock;
    if (runs.metrics.empty()) {
      const std::size_t samples = runner.seconds < shortest_batch_s ? 3 : 1;
      // A variant that has ended before is no hang as soon as the best is so much faster.
      const double longest = std::isfinite(runner.seconds) ? own_limit * runner.seconds : 0.0;
      log_.started(call, name, limit_seconds(samples * runner.repeat, longest));
      const bool ran = survives(call, name, [&] {
        // Between two batches other variants had the caches; a short run would mostly tell of that.
        if (samples > 1) static_cast<void>(function.run(k, 1));
        while (runs.metrics.size() < samples) {
          keep(function, function.run(k, runner.repeat), runner, runs);
        }
        return is_sampled(function, call, name, runs);
      });
      if (!ran) {
        contest.disqualify(place);
        return;
      }
    }
    for (double& metric : runs.metrics) {
      if (is_infinite_cost(metric, function.larger_is_better)) {
        metric = std::numeric_limits<double>::infinity();
      } else if (function.larger_is_better) {
        metric = 1.0 / metric;
      }
    }
    contest.tell(place, runs.metrics, clock.seconds() + std::exchange(runner.warm_up_s, 0.0));
  }

  /// Writes samples to the log; false, and the log says so, where one is no cost.
  bool is_sampled(const trainee& function, std::size_t call, const std::string& name,
                  const measured_runs& runs) {
    for (const double metric : runs.metrics) {
      if (is_finite(metric) || is_infinite_cost(metric, function.larger_is_better)) continue;
      log_.failed(call, name, "its metric is " + number_text(metric) + ", which is no cost");
      return false;
    }
    log_.sampled(call, name, runs.metrics, runs.lost_s, runs.output.same_bits);
    return true;
  }

  /// First runs of a variant: verifies its output, runs it until it is warm, finds how many runs
  /// make a sample long enough to time. A variant far beyond the limit, or that comes to an
  /// infinite metric and so to no output, gives a sample here. False: wrong.
  bool warm(const trainee& function, std::size_t k, lane& runner) {
    training_run run = function.run(k, 1);
    if (is_lost(function, run)) {
      keep(function, run, runner, runner.early);
      return true;
    }
    if (k == function.default_index) {
      if (function.keep_reference) function.keep_reference();
    } else if (function.compared) {
      runner.early.output = function.compared();
      if (!runner.early.output.agrees) return false;
    }
    warm_up runs({.minimum_runs = request_.warm_up});
    runs.tell(run.seconds);
    const bool beyond_hope = run.seconds > 10e-3 && run.seconds > request_.limit * best_seconds_;
    if (beyond_hope || request_.warm_up == 0) {
      keep(function, run, runner, runner.early);
    } else {
      while (runs.wants_more()) runs.tell(function.run(k, 1).seconds);
    }
    note_seconds(function, {run.metric, runs.fastest()}, runner);
    if (function.may_repeat && runs.fastest() < request_.sample_s) {
      runner.repeat =
          static_cast<std::size_t>(std::ceil(request_.sample_s / std::max(runs.fastest(), 1e-9)));
    }
    return true;
  }

  /// Whether a run came to nothing: no failure, but a cost without bounds.
  static bool is_lost(const trainee& function, const training_run& run) {
    return is_infinite_cost(run.metric, function.larger_is_better);
  }

  void keep(const trainee& function, const training_run& run, lane& runner, measured_runs& runs) {
    note_seconds(function, run, runner);
    if (is_lost(function, run)) runs.lost_s = run.seconds;
    runs.metrics.push_back(run.metric);
  }

  // What came to nothing may have done so at once: that is no measure of what a run may take.
  void note_seconds(const trainee& function, const training_run& run, lane& runner) {
    runner.seconds = std::min(runner.seconds, run.seconds);
    if (!is_lost(function, run)) best_seconds_ = std::min(best_seconds_, run.seconds);
  }

  const training_request& request_;
  training_log log_;
  std::atomic<bool> busy_{false};
  bool header_written_ = false;
  std::size_t next_call_ = 0;
  std::set<std::vector<std::uint64_t>> measured_;
  double best_seconds_ = unknown;
  double best_point_ = unknown;  ///< the smallest median of a point, of this call
};

}  // namespace fettle::detail
