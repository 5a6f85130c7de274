// node_team: a thread for each set of CPUs, bound to it, that works on what it is given; OpenMP's
// threads that it starts inherit its CPUs.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp_nodes::detail {

using cpu_set = std::vector<int>;

/// "0-3,8" as Linux writes it.
[[nodiscard]] inline std::string to_string(const cpu_set& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (end > i + 1) text += '-' + std::to_string(cpus[end - 1]);
    i = end;
  }
  return text;
}

/// Binds the calling thread. False where the system refuses, if only one of the CPUs, which it does
/// without an error; true where it knows no binding.
[[nodiscard]] inline bool bind_to([[maybe_unused]] const cpu_set& cpus) noexcept {
#ifdef __linux__
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    CPU_SET(static_cast<std::size_t>(cpu), &wanted);
  }
  cpu_set_t given;
  return sched_setaffinity(0, sizeof wanted, &wanted) == 0 &&
         sched_getaffinity(0, sizeof given, &given) == 0 && CPU_EQUAL(&wanted, &given) != 0;
#else
  return true;
#endif
}

/// One set's thread.
class node_thread {
 public:
  explicit node_thread(const cpu_set& cpus) : thread_([this, cpus] { work(cpus); }) {}
  ~node_thread() {
    give(nullptr, nullptr, 0);
    thread_.join();
  }
  node_thread(const node_thread&) = delete;
  node_thread& operator=(const node_thread&) = delete;

  using job = void (*)(void* context, int node);

  void give(job what, void* context, int node) noexcept {
    what_ = what;
    context_ = context;
    node_ = node;
    given_.fetch_add(1, std::memory_order_release);
    given_.notify_one();
  }
  /// What the job has thrown; waits for it.
  [[nodiscard]] std::exception_ptr take() {
    const unsigned int wanted = given_.load(std::memory_order_relaxed);
    for (unsigned int done = done_.load(std::memory_order_acquire); done != wanted;
         done = done_.load(std::memory_order_acquire)) {
      done_.wait(done, std::memory_order_acquire);
    }
    return std::exchange(failure_, nullptr);
  }

 private:
  void work(const cpu_set& cpus) {
    const bool is_bound = bind_to(cpus);
#ifdef _OPENMP
    omp_set_num_threads(static_cast<int>(cpus.size()));
#endif
    for (unsigned int seen = 0;;) {
      given_.wait(seen, std::memory_order_acquire);
      if (given_.load(std::memory_order_acquire) == seen) continue;
      ++seen;
      if (what_ == nullptr) return;
      try {
        if (!is_bound) throw error("this program may not use all of its CPUs");
        what_(context_, node_);
      } catch (...) {
        failure_ = std::current_exception();
      }
      done_.store(seen, std::memory_order_release);
      done_.notify_one();
    }
  }

  job what_ = nullptr;
  void* context_ = nullptr;
  int node_ = 0;
  std::exception_ptr failure_;
  std::atomic<unsigned int> given_{0};
  std::atomic<unsigned int> done_{0};
  std::thread thread_;  // the last: it uses the others
};

/// Starts its threads at the first call. Calls of several threads come one after the other.
class node_team {
 public:
  explicit node_team(std::vector<cpu_set> cpus) : cpus_(std::move(cpus)) {}
  ~node_team() = default;
  node_team(const node_team&) = delete;
  node_team& operator=(const node_team&) = delete;

  [[nodiscard]] int size() const noexcept { return static_cast<int>(cpus_.size()); }
  [[nodiscard]] const cpu_set& cpus(int node) const {
    return cpus_[static_cast<std::size_t>(node)];
  }

  /// work(node) on the thread of each node for which wanted(node), side by side; failed(node,
  /// exception) for the first one that throws, when all are done.
  template <typename Wanted, typename Work, typename Failed>
  void run(const Wanted& wanted, const Work& work, const Failed& failed) {
    const std::lock_guard<std::mutex> guard(lock_);
    while (threads_.size() < cpus_.size()) {
      threads_.push_back(std::make_unique<node_thread>(cpus_[threads_.size()]));
    }
    const auto job = [](void* context, int node) { (*static_cast<const Work*>(context))(node); };
    for (int node = 0; node < size(); ++node) {
      if (wanted(node)) {
        thread_of(node).give(job, const_cast<void*>(static_cast<const void*>(&work)), node);
      }
    }
    int first = -1;
    std::exception_ptr failure;
    for (int node = 0; node < size(); ++node) {
      if (!wanted(node)) continue;
      const std::exception_ptr its = thread_of(node).take();
      if (its && first < 0) {
        first = node;
        failure = its;
      }
    }
    if (first >= 0) failed(first, failure);
  }

 private:
  [[nodiscard]] node_thread& thread_of(int node) const {
    return *threads_[static_cast<std::size_t>(node)];
  }

  std::mutex lock_;
  std::vector<cpu_set> cpus_;
  std::vector<std::unique_ptr<node_thread>> threads_;
};

}  // namespace fettle::ndp::openmp_nodes::detail
