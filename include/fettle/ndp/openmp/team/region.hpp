// region: a parallel region whose threads work in steps, and that lets exceptions out.
//
// All of OpenMP that Fettle uses is here: one region, its barriers, thread counts. An exception may
// not leave a region, so each step catches what user code throws; when the threads have met at the
// step's end all of them leave, and the first exception is thrown again after the region. Without
// -fopenmp there is one thread and no region.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/team/awake.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

/// How many threads work where a policy says `num_threads`; 0 leaves it to OpenMP, which has one
/// for a thread that is in a parallel region already.
[[nodiscard]] inline int thread_count([[maybe_unused]] int num_threads) noexcept {
#ifdef _OPENMP
  if (num_threads > 0) return num_threads;
  return omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1;
#else
  return 1;
#endif
}

// What went wrong in a region, and in which step: a thread that is already a step further must not
// make the others leave before they have met it there.
class region_failure {
 public:
  void capture(int step) noexcept {
    if (!claimed_.exchange(true)) error_ = std::current_exception();
    int known = step_.load();
    while (step < known && !step_.compare_exchange_weak(known, step)) {
    }
  }
  [[nodiscard]] bool until(int step) const noexcept {
    return step_.load(std::memory_order_relaxed) <= step;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> claimed_{false};
  std::atomic<int> step_{std::numeric_limits<int>::max()};
  std::exception_ptr error_;
};

/// One thread of a team.
class team_member {
 public:
  team_member() = default;
  team_member(region_failure& failure, int thread, int size) noexcept
      : failure_(&failure), thread_(thread), size_(size) {}

  [[nodiscard]] int thread() const noexcept { return thread_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  /// Something was thrown in this step or before: no need to go on with it.
  [[nodiscard]] bool failed() const noexcept { return failure_ && failure_->until(step_); }

  /// Work that others wait for: returns when all threads have done theirs. False: a thread threw,
  /// and the region is to be left.
  template <typename Work>
  [[nodiscard]] bool step(const Work& work) {
    last_step(work);
    if (!failure_) return true;
#ifdef _OPENMP
#pragma omp barrier
#endif
    return !failure_->until(step_++);
  }

  /// Work that is not waited for before the region's end.
  template <typename Work>
  void last_step(const Work& work) {
    if (!failure_) {
      work();
      return;
    }
    try {
      work();
    } catch (...) {
      failure_->capture(step_);
    }
  }

 private:
  region_failure* failure_ = nullptr;  // none where there is no region
  int thread_ = 0;
  int size_ = 1;
  int step_ = 0;
};

/// body(team_member&) on `threads` threads, fewer where OpenMP gives fewer. User code has to run in
/// the member's steps.
template <typename Body>
void on_team([[maybe_unused]] int threads, const Body& body) {
#ifdef _OPENMP
  if (threads > 1) {
    region_failure failure;
#pragma omp parallel num_threads(threads)
    {
      team_member member(failure, omp_get_thread_num(), omp_get_num_threads());
      body(member);
    }
    remember_use();
    failure.rethrow();
    return;
  }
#endif
  team_member alone;
  body(alone);
}

/// While it lives, a thread of a region may open a nested region.
class nesting_permit {
 public:
  explicit nesting_permit([[maybe_unused]] bool wanted) {
#ifdef _OPENMP
    if (!wanted) return;
    before_ = omp_get_max_active_levels();
    omp_set_max_active_levels(std::max(before_, omp_get_active_level() + 3));
#endif
  }
  nesting_permit(const nesting_permit&) = delete;
  nesting_permit& operator=(const nesting_permit&) = delete;
  ~nesting_permit() {
#ifdef _OPENMP
    if (before_ >= 0) omp_set_max_active_levels(before_);
#endif
  }

 private:
  [[maybe_unused]] int before_ = -1;
};

}  // namespace fettle::ndp::openmp::detail
