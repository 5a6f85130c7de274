// recording: what a computation would put on its stream, kept to be put there again and again.
//
// While a recording_scope lives, its thread's launches and library calls go into a recording.
// Kernels' arguments are copied as bytes, as a launch itself does; temporaries (kept_memory.cuh)
// stay until the recording ends, so that every replay uses the same. What remains of a replay is
// one launch for each kernel.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Copies of a kernel's arguments, and their addresses as launches take them.
class recorded_arguments {
 public:
  recorded_arguments(void* const* arguments, const std::size_t* sizes, std::size_t count)
      : addresses_(count) {
    std::size_t units = 0;
    for (std::size_t i = 0; i < count; ++i) units += units_of(sizes[i]);
    storage_ = std::make_unique<unit[]>(units);
    unit* to = storage_.get();
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(to, arguments[i], sizes[i]);
      addresses_[i] = to;
      to += units_of(sizes[i]);
    }
  }

  [[nodiscard]] void** addresses() noexcept { return addresses_.data(); }

 private:
  struct alignas(std::max_align_t) unit {
    unsigned char bytes[sizeof(std::max_align_t)];
  };
  [[nodiscard]] static constexpr std::size_t units_of(std::size_t bytes) noexcept {
    return (bytes + sizeof(unit) - 1) / sizeof(unit);
  }

  std::unique_ptr<unit[]> storage_;
  std::vector<void*> addresses_;
};

/// Steps in their order, and the memory that they use. One thread at a time may replay it.
class recording {
 public:
  recording() = default;
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;
  ~recording() = default;

  /// The calling thread's; null: its work goes to streams.
  [[nodiscard]] static recording* current() noexcept { return current_of_thread(); }

  /// step() is called by every replay.
  template <typename Step>
  void add(Step step) {
    steps_.push_back(std::make_unique<step_of<Step>>(std::move(step)));
  }
  /// What the steps use, released when the recording ends.
  void keep(std::shared_ptr<const void> memory) { memory_ = std::move(memory); }

  void replay() const {
    for (const std::unique_ptr<any_step>& step : steps_) step->run();
  }

  [[nodiscard]] std::size_t steps() const noexcept { return steps_.size(); }

 private:
  friend class recording_scope;

  struct any_step {
    any_step() = default;
    any_step(const any_step&) = delete;
    any_step& operator=(const any_step&) = delete;
    virtual ~any_step() = default;
    virtual void run() = 0;
  };
  template <typename Step>
  struct step_of final : any_step {
    explicit step_of(Step its) : step(std::move(its)) {}
    void run() override { step(); }
    Step step;
  };

  [[nodiscard]] static recording*& current_of_thread() noexcept {
    thread_local constinit recording* current = nullptr;
    return current;
  }

  std::shared_ptr<const void> memory_;  // outlives the steps
  std::vector<std::unique_ptr<any_step>> steps_;
};

/// The calling thread records into `into` while this lives.
class recording_scope {
 public:
  explicit recording_scope(recording& into) noexcept
      : before_(std::exchange(recording::current_of_thread(), &into)) {}
  ~recording_scope() { recording::current_of_thread() = before_; }
  recording_scope(const recording_scope&) = delete;
  recording_scope& operator=(const recording_scope&) = delete;

 private:
  recording* before_;
};

}  // namespace fettle::ndp::cuda::detail
