// Definitions of training.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/metric_names.hpp>
#include <fettle/measure/profiled_region.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/training/evaluated_features.hpp>
#include <fettle/variant/training/point_source.hpp>
#include <fettle/variant/training/trainee.hpp>
#include <fettle/variant/training/training.hpp>
#include <fettle/variant/training/training_log.hpp>
#include <fettle/variant/training/variant_sampler.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE training_session& training_session::instance(
    const training_request& request) {
  static auto& session = *new training_session(request);  // static destructors may call, too
  return session;
}

[[gnu::cold]] FETTLE_INLINE bool training_session::measure(const trainee& function) {
  bool idle = false;
  if (!busy_.compare_exchange_strong(idle, true)) return false;
  struct release {
    std::atomic<bool>& flag;
    ~release() { flag = false; }
  } const released{busy_};
  if (!header_written_) {
    log_.header(request_.function, function.variants, function.features,
                function.variants[function.default_index], function.timed,
                function.larger_is_better, function.policy, function.parameters, function.versions,
                function.metrics, function.quality);
    header_written_ = true;
  }
  const std::size_t call = next_call_++;
  if (call < request_.first_call || call >= request_.max_calls) return false;
  if (!function.misuse.empty()) {
    log_.misused(function.misuse);
    return false;
  }
  if (!evaluate(function, call) || request_.features_only) return false;
  if (!request_.profiler.empty()) {
    run_profiled(function, call);
  } else if (request_.points_from.empty()) {
    run_race(function, call);
  } else {
    run_points(function, call);
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE bool training_session::evaluate(const trainee& function,
                                                            std::size_t call) {
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

[[gnu::cold]] FETTLE_INLINE void training_session::run_race(const trainee& function,
                                                            std::size_t call) {
  // The default runs first: it is the reference for verification and the usual yardstick.
  std::vector<std::size_t> order(function.variants.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::swap(order[0], order[function.default_index]);

  std::vector<std::size_t> out;
  for (std::size_t contender = 0; contender < order.size(); ++contender) {
    const std::size_t k = order[contender];
    if (call == request_.first_call && done_before(function.variants[k])) {
      out.push_back(contender);
    } else if (const std::string reason = why_excluded(function, k); !reason.empty()) {
      log_.excluded(call, function.variants[k], reason);
      out.push_back(contender);
    }
  }
  variant_sampler sampler(function, call, request_, log_,
                          call == request_.first_call ? request_.best_s : double{unknown});
  const bool anything_left = out.size() < order.size();
  const bool default_skipped = !out.empty() && out[0] == 0;
  if (default_skipped && anything_left && function.keep_reference) {
    sampler.make_reference();
  }

  race_options options = request_.race;
  // What is far behind by one metric may be the best by another.
  // What is far ahead by an error may not be selected.
  if (declared_metrics(function.metrics) > 1 || !function.quality.empty()) options.racing = false;
  race contest(order.size(), options, out,
               function.timed ? sampler.best_seconds() : double{unknown});
  std::vector<variant_sampler::progress> known(order.size());
  // All are warm before the first sample of any: the process warms up too.
  for (std::size_t contender = 0; contender < order.size(); ++contender) {
    if (std::find(out.begin(), out.end(), contender) != out.end()) continue;
    const std::size_t k = order[contender];
    if (!sampler.warm_up(k, function.variants[k], known[contender])) {
      contest.disqualify(contender);
    }
  }
  while (const std::optional<std::size_t> contender = contest.next()) {
    const std::size_t k = order[*contender];
    sampler.run_batch(k, function.variants[k], *contender, contest, known[*contender]);
  }
  for (std::size_t contender = 0; function.meter && contender < order.size(); ++contender) {
    if (contest.samples(contender).empty() || contest.is_disqualified(contender)) continue;
    sampler.meter(order[contender], function.variants[order[contender]]);
  }
  const std::optional<std::size_t> best = contest.best();
  log_.ended(call, contest.outcome(), best ? function.variants[order[*best]] : std::string());
}

[[gnu::cold]] FETTLE_INLINE void training_session::run_points(const trainee& function,
                                                              std::size_t call) {
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

[[gnu::cold]] FETTLE_INLINE void training_session::run_profiled(const trainee& function,
                                                                std::size_t call) {
  for (std::size_t k = 0; k < function.variants.size(); ++k) {
    const std::string& name = function.variants[k];
    if (done_before(name)) continue;
    if (const std::string reason = why_excluded(function, k); !reason.empty()) {
      log_.excluded(call, name, reason);
      continue;
    }
    log_.started(call, name, request_.timeout_s);
    try {
      function.run(k, 1);  // first runs allocate, compile and load
      const profiled_region counted(request_.profiler);
      function.run(k, 1);
    } catch (const std::exception& problem) {
      log_.failed(call, name, std::string("exception: ") + problem.what());
      continue;
    } catch (...) {
      log_.failed(call, name, "exception of a type not derived from std::exception");
      continue;
    }
    log_.measured(call, name);
  }
}

[[gnu::cold]] FETTLE_INLINE void training_session::measure_point(variant_sampler& sampler,
                                                                 const trainee& function,
                                                                 std::size_t call,
                                                                 const std::string& name,
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
  variant_sampler::progress known;
  if (!sampler.warm_up(k, name, known)) return;
  while (alone.next()) sampler.run_batch(k, name, 0, alone, known);
  if (!alone.best()) return;
  if (function.meter) sampler.meter(k, name);
  log_.measured(call, name);
  best_point_ = std::min(best_point_, median(alone.samples(0)));
}

[[gnu::cold]] FETTLE_INLINE std::string training_session::why_excluded(const trainee& function,
                                                                       std::size_t k) const {
  try {
    if (function.why_not) {
      if (std::string reason = function.why_not(k); !reason.empty()) return reason;
    }
    return function.constraints_hold(k) ? "" : "constraint failed";
  } catch (const std::exception& problem) {
    return std::string("constraint threw: ") + problem.what();
  } catch (...) {
    return "constraint threw";
  }
}

}  // namespace fettle::detail
