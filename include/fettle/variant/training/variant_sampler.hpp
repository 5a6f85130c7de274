// Runs of the variants of one call in training: each is announced in the training log before it
// begins, with its limit, and verified, warmed up and timed; what it throws is written to the log.
#pragma once

#include <cstddef>
#include <exception>
#include <limits>
#include <string>

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
    double warm_up_s = 0.0;                                    ///< not yet reported to the race
    measured_runs early;  ///< of the warm-up: samples in the log but not yet reported to the race
  };

  /// `best_s` is what the fastest run of the call so far took; infinite where none is known.
  variant_sampler(const trainee& function, std::size_t call, const training_request& request,
                  training_log& log, double best_s)
      : function_(function), call_(call), request_(request), log_(log), best_seconds_(best_s) {}

  /// Seconds of the fastest run of the call; infinite before the first.
  double best_seconds() const noexcept { return best_seconds_; }

  /// Runs the default for its output only, where it was measured in an earlier start.
  void make_reference();

  /// Warms a variant up; false, and the log says why, where it failed.
  bool warm_up(std::size_t k, const std::string& name, progress& known);

  /// One batch of samples, for the race and the log; a variant that fails is out of the race.
  void run_batch(std::size_t k, const std::string& name, std::size_t contender, race& contest,
                 progress& known);

  /// Lets the meters run around a variant that has all its samples.
  void meter(std::size_t k, const std::string& name);

 private:
  static constexpr double metering_s = 30.0;  // that a meter may take beside the runs
  static constexpr double shortest_batch_s = 0.5e-3;
  static constexpr double own_limit = 5.0;  // times the fastest run of the variant itself

  /// `longest_s` is what one of the runs may take by what is known of the variant itself.
  double limit_seconds(std::size_t runs, double longest_s = 0.0) const;

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

  /// Writes samples to the log; false, and the log says so, where one is not a cost.
  bool is_sampled(const std::string& name, const measured_runs& runs);

  /// First runs of a variant: verifies its output, runs it until it is warm, finds how many runs
  /// make a sample long enough to time. A variant far beyond the limit, or that comes to an
  /// infinite metric and so to no output, gives a sample here. False: wrong.
  bool is_right(std::size_t k, progress& known);

  /// Whether a run came to nothing: no failure, but a cost without bounds.
  bool is_lost(const training_run& run) const {
    return is_infinite_cost(run.metric, function_.larger_is_better);
  }

  void keep(const training_run& run, progress& known, measured_runs& runs);

  // What came to nothing may have done so at once: which does not tell what a run may take.
  void note_seconds(const training_run& run, progress& known);

  const trainee& function_;
  std::size_t call_;
  const training_request& request_;
  training_log& log_;
  double best_seconds_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/variant_sampler.ipp>
#endif
