// Features and constraints evaluated in parallel and asynchronously, on oneTBB
// (dissertation 2.2.3). Only programs whose policy asks for it include this header and link
// fettle::tbb.
#pragma once

#include <cstddef>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/thread_sanitizer.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// A job on its way to another thread. oneTBB passes it on, and notices its end, in ways that the
/// thread sanitizer cannot see into; this says that both are in order, so that the sanitizer can
/// watch what the job does. What waits for the job acquires `ends`.
template <typename Job>
class handed_over {
 public:
  handed_over(Job job, const void* ends) : job_(std::move(job)), ends_(ends) { comes_before(this); }
  handed_over(handed_over&& other) noexcept(std::is_nothrow_move_constructible_v<Job>)
      : job_(std::move(other.job_)), ends_(other.ends_) {
    comes_before(this);
  }

  template <typename... Args>
  void operator()(Args... args) const {
    comes_after(this);  // an address that needs no reading from what was passed on
    const struct at_the_end {
      const void* mark;
      ~at_the_end() { comes_before(mark); }
    } end{ends_};
    job_(args...);
  }

 private:
  Job job_;
  const void* ends_;
};

/// What leaves its scope comes after all jobs that end with this mark.
struct ends_of_jobs {
  ~ends_of_jobs() { comes_after(this); }
};

}  // namespace detail

/// Runs each job as a oneTBB task. Jobs must not touch the same data; feature and constraint
/// functions that are used with it must be safe to call from other threads, each at most once at a
/// time for one call of the tuned function. Costs about a microsecond a job: worth it for features
/// that look at the whole input.
struct tbb_evaluation {
  static constexpr bool is_concurrent = true;
  /// Whether the program is linked with oneTBB, as far as CMake's targets say so.
#if defined(FETTLE_CMAKE_TARGET) && !defined(FETTLE_LINKS_TBB)
  static constexpr bool is_linked = false;
#else
  static constexpr bool is_linked = true;
#endif

  template <typename Job>
  static void for_each(std::size_t n, Job&& job) {
    const detail::ends_of_jobs ends;
    const detail::handed_over each([&job](std::size_t i) { job(i); }, &ends);
    oneapi::tbb::parallel_for(std::size_t{0}, n, each);
  }

  /// Jobs that run while the caller goes on. wait() is the barrier; the destructor waits too.
  class background {
   public:
    background() = default;
    background(const background&) = delete;
    background& operator=(const background&) = delete;
    ~background() { wait(); }

    template <typename Job>
    void start(Job job) {
      tasks_.run(detail::handed_over(std::move(job), this));
    }
    void wait() {
      tasks_.wait();
      detail::comes_after(this);
    }

   private:
    oneapi::tbb::task_group tasks_;
  };
};

}  // namespace fettle
