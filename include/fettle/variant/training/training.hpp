// Training in process (design 3.1, docs/formats.md section 2): one call of a tuned function
// measures every variant on that call's input, in a race, and writes each step to the training log
// before it is taken, so that a variant that crashes or hangs is known by name and costs nothing
// else.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/training/evaluated_features.hpp>
#include <fettle/variant/training/point_source.hpp>
#include <fettle/variant/training/trainee.hpp>
#include <fettle/variant/training/training_log.hpp>
#include <fettle/variant/training/variant_sampler.hpp>

namespace fettle::inline FETTLE_ABI::detail {

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
                  function.larger_is_better, function.policy, function.parameters,
                  function.versions);
      header_written_ = true;
    }
    const std::size_t call = next_call_++;
    if (call < request_.first_call || call >= request_.max_calls) return false;
    if (!function.misuse.empty()) {
      log_.misused(function.misuse);
      return false;
    }
    if (!evaluate(function, call) || request_.features_only) return false;
    if (request_.points_from.empty()) {
      run_race(function, call);
    } else {
      run_points(function, call);
    }
    return true;
  }

 private:
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  static constexpr double hopeless_point = 1.5;  // times the best: one batch of it says enough

  /// False where the call cannot or need not be measured.
  bool evaluate(const trainee& function, std::size_t call) {
    const evaluated_features found = evaluate_features(function);
    // An iterative solver calls with one matrix a thousand times: one call says it all.
    std::vector<std::uint64_t> key;  // bits, not doubles: NaN has no order
    key.reserve(found.values.size());
    for (const double value : found.values) key.push_back(std::bit_cast<std::uint64_t>(value));
    if (!measured_.insert(key).second) return false;
    log_.call(call, request_.input, function.features, found.values, found.nanoseconds,
              found.problems);
    return found.complete();  // a model cannot learn from an input that lacks a feature
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
    variant_sampler sampler(function, call, request_, log_,
                            call == request_.first_call ? request_.best_s : double{unknown});
    const bool anything_left = out.size() < order.size();
    const bool default_skipped = !out.empty() && out[0] == 0;
    if (default_skipped && anything_left && function.keep_reference) {
      sampler.make_reference();
    }

    race contest(order.size(), request_.race, out,
                 function.timed ? sampler.best_seconds() : double{unknown});
    std::vector<variant_sampler::progress> known(order.size());
    // All are warm before the first sample of any: the process warms up too.
    for (std::size_t place = 0; place < order.size(); ++place) {
      if (std::find(out.begin(), out.end(), place) != out.end()) continue;
      const std::size_t k = order[place];
      if (!sampler.warm_up(k, function.variants[k], known[place])) {
        contest.disqualify(place);
      }
    }
    while (const std::optional<std::size_t> place = contest.next()) {
      const std::size_t k = order[*place];
      sampler.run_batch(k, function.variants[k], *place, contest, known[*place]);
    }
    const std::optional<std::size_t> best = contest.best();
    log_.ended(call, contest.outcome(), best ? function.variants[order[*best]] : std::string());
  }

  /// Measures one point after the other, as the tuner's search strategy asks for them.
  void run_points(const trainee& function, std::size_t call) {
    variant_sampler sampler(function, call, request_, log_, request_.best_s);
    best_point_ = request_.best_s;
    if (function.keep_reference) sampler.make_reference();
    point_source points(request_.points_from);
    while (const std::optional<std::string> name = points.next()) {
      try {
        measure_point(sampler, function, call, *name, function.at_point(*name));
      } catch (const error& problem) {
        log_.failed(call, *name, problem.what());
      }
    }
  }

  void measure_point(variant_sampler& sampler, const trainee& function, std::size_t call,
                     const std::string& name, std::size_t k) {
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
    variant_sampler::progress known;
    if (!sampler.warm_up(k, name, known)) return;
    while (alone.next()) sampler.run_batch(k, name, 0, alone, known);
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

  const training_request& request_;
  training_log log_;
  std::atomic<bool> busy_{false};
  bool header_written_ = false;
  std::size_t next_call_ = 0;
  std::set<std::vector<std::uint64_t>> measured_;
  double best_point_ = unknown;  ///< the smallest median of a point, of this call
};

}  // namespace fettle::detail
