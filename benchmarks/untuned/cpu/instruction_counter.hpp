// Counts the instructions that this thread executes outside the kernel, where the system lets a
// program ask for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ndp_cpu {

class instruction_counter {
 public:
#ifdef __linux__
  instruction_counter() {
    perf_event_attr what{};
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.disabled = 1;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, 0));
  }
  instruction_counter(const instruction_counter&) = delete;
  instruction_counter& operator=(const instruction_counter&) = delete;
  ~instruction_counter() {
    if (file_ >= 0) close(file_);
  }

  /// Of one call; nothing where the system does not tell.
  [[nodiscard]] std::optional<std::int64_t> count(const std::function<void()>& run) const {
    if (file_ < 0) return {};
    ioctl(file_, PERF_EVENT_IOC_RESET, 0);
    ioctl(file_, PERF_EVENT_IOC_ENABLE, 0);
    run();
    ioctl(file_, PERF_EVENT_IOC_DISABLE, 0);
    std::int64_t counted = 0;
    if (read(file_, &counted, sizeof counted) != sizeof counted || counted == 0) return {};
    return counted;
  }

 private:
  int file_ = -1;
#else
  [[nodiscard]] std::optional<std::int64_t> count(const std::function<void()>& /*run*/) const {
    return {};
  }
#endif
};

}  // namespace ndp_cpu
