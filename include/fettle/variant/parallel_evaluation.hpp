// Features and constraints evaluated in parallel and asynchronously, on oneTBB
// (dissertation 2.2.3). Only programs whose policy asks for it include this header and link
// fettle::tbb.
#pragma once

#include <cstddef>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>
#include <utility>

namespace fettle {

/// Runs each job as a oneTBB task. Jobs must not touch the same data; feature and constraint
/// functions that are used with it must be safe to call from other threads, each at most once at a
/// time for one call of the tuned function. Costs about a microsecond a job: worth it for features
/// that look at the whole input.
struct tbb_evaluation {
  static constexpr bool is_concurrent = true;

  template <typename Job>
  static void for_each(std::size_t n, Job&& job) {
    oneapi::tbb::parallel_for(std::size_t{0}, n, [&job](std::size_t i) { job(i); });
  }

  /// Jobs that run while the caller goes on. wait() is the barrier; the destructor waits too.
  class background {
   public:
    background() = default;
    background(const background&) = delete;
    background& operator=(const background&) = delete;
    ~background() { tasks_.wait(); }

    template <typename Job>
    void start(Job job) {
      tasks_.run(std::move(job));
    }
    void wait() { tasks_.wait(); }

   private:
    oneapi::tbb::task_group tasks_;
  };
};

}  // namespace fettle
