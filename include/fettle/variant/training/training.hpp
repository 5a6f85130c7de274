// Training in process (design 3.1, docs/formats.md section 2): one call of a tuned function
// measures every variant on that call's input, in a race, and writes each step to the training log
// before it is taken, so that a variant that crashes or hangs is known by name and costs nothing
// else.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
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
  static training_session& instance(const training_request& request);

  /// Measures one call, or does nothing where the request says so, where this is a call from within
  /// a call in training (a recursive variant), or from another thread meanwhile. True: variants
  /// ran, and the inputs are as the last one left them.
  bool measure(const trainee& function);

 private:
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  static constexpr double hopeless_point = 1.5;  // times the best: one batch of it says enough

  /// False where the call cannot or need not be measured.
  bool evaluate(const trainee& function, std::size_t call);

  void run_race(const trainee& function, std::size_t call);

  /// Measures one point after the other, as the tuner's search strategy asks for them.
  void run_points(const trainee& function, std::size_t call);

  /// Runs each variant once more after a first run, while the profiler counts.
  void run_profiled(const trainee& function, std::size_t call);

  void measure_point(variant_sampler& sampler, const trainee& function, std::size_t call,
                     const std::string& name, std::size_t k);

  bool done_before(const std::string& variant) const {
    return std::find(request_.skip.begin(), request_.skip.end(), variant) != request_.skip.end();
  }

  std::string why_excluded(const trainee& function, std::size_t k) const;

  const training_request& request_;
  training_log log_;
  std::atomic<bool> busy_{false};
  bool header_written_ = false;
  std::size_t next_call_ = 0;
  std::set<std::vector<std::uint64_t>> measured_;
  double best_point_ = unknown;  ///< the smallest median of a point, of this call
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/training.ipp>
#endif
