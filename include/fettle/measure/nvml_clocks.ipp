// Definitions of nvml_clocks.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/nvml_clocks.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

// Numbers of NVML's header.
inline constexpr int nvml_graphics_clock = 0;
inline constexpr int nvml_memory_clock = 2;
inline constexpr int nvml_set_application_clocks = 0;  // of its restricted functions

/// The clocks that a function of NVML lists: it says how many there are where there is no room.
template <typename List>
std::vector<unsigned> listed_clocks(const List& list) {
  std::vector<unsigned> found(1024);
  unsigned count = static_cast<unsigned>(found.size());
  if (list(&count, found.data()) != 0) count = 0;
  found.resize(count);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace detail

[[gnu::cold]] FETTLE_INLINE nvml_clocks::nvml_clocks(unsigned device, const std::string& library)
    : library_(library),
      number_(device),
      nvml_(std::make_unique<detail::nvml_library>(library)),
      name_(detail::find_nvml_device(*nvml_, device, device_)) {
  using query = int (*)(void*, int, unsigned*);
  const auto set_clock = nvml_->optional<query>("nvmlDeviceGetApplicationsClock");
  const auto default_clock = nvml_->optional<query>("nvmlDeviceGetDefaultApplicationsClock");
  unsigned usual = 0;
  application_ = set_clock != nullptr && default_clock != nullptr &&
                 set_clock(device_, detail::nvml_memory_clock, &memory_) == 0 &&
                 set_clock(device_, detail::nvml_graphics_clock, &before_) == 0 &&
                 default_clock(device_, detail::nvml_graphics_clock, &usual) == 0;
  if (!application_ || before_ == usual) before_ = 0;
  find_offered();
  check_permission();
}

[[gnu::cold]] FETTLE_INLINE void nvml_clocks::find_offered() {
  const auto memory =
      nvml_->optional<int (*)(void*, unsigned*, unsigned*)>("nvmlDeviceGetSupportedMemoryClocks");
  const auto graphics = nvml_->optional<int (*)(void*, unsigned, unsigned*, unsigned*)>(
      "nvmlDeviceGetSupportedGraphicsClocks");
  if (memory != nullptr && graphics != nullptr) {
    const std::vector<unsigned> all = detail::listed_clocks(
        [&](unsigned* count, unsigned* clocks) { return memory(device_, count, clocks); });
    // Without a present one the largest, as work has it.
    if (memory_ == 0 && !all.empty()) memory_ = all.back();
    offered_ = detail::listed_clocks([&](unsigned* count, unsigned* clocks) {
      return graphics(device_, memory_, count, clocks);
    });
  }
  if (offered_.empty()) throw error(name_ + " offers no clocks to choose from");
}

[[gnu::cold]] FETTLE_INLINE void nvml_clocks::check_permission() const {
  const auto asked = nvml_->optional<int (*)(void*, int, int*)>("nvmlDeviceGetAPIRestriction");
  int restricted = 0;
  if (geteuid() == 0 || asked == nullptr || !application_) return;  // else set() tells
  if (asked(device_, detail::nvml_set_application_clocks, &restricted) != 0 || restricted == 0) {
    return;
  }
  nvml_->fail("whether " + name_ + " may be set to another clock",
              detail::nvml_library::no_permission);
}

[[gnu::cold]] FETTLE_INLINE unsigned nvml_clocks::set_now() const {
  if (!application_) return 0;
  unsigned mhz = 0;
  const auto asked =
      nvml_->optional<int (*)(void*, int, unsigned*)>("nvmlDeviceGetApplicationsClock");
  if (const int status = asked(device_, detail::nvml_graphics_clock, &mhz); status != 0) {
    nvml_->fail("the clock of " + name_, status);
  }
  return mhz;
}

[[gnu::cold]] FETTLE_INLINE void nvml_clocks::set(unsigned mhz) {
  using on_device = int (*)(void*);
  using to_two = int (*)(void*, unsigned, unsigned);
  const char* const name =
      application_
          ? (mhz == 0 ? "nvmlDeviceResetApplicationsClocks" : "nvmlDeviceSetApplicationsClocks")
          : (mhz == 0 ? "nvmlDeviceResetGpuLockedClocks" : "nvmlDeviceSetGpuLockedClocks");
  int status = detail::nvml_library::not_supported;
  if (mhz == 0) {
    if (const auto reset = nvml_->optional<on_device>(name)) status = reset(device_);
  } else if (const auto change = nvml_->optional<to_two>(name)) {
    status = change(device_, application_ ? memory_ : mhz, mhz);
  }
  if (status == 0) return;
  const std::string what = mhz == 0 ? "its default clock" : number_text(mhz) + " MHz";
  throw error("cannot set " + name_ + " to " + what + ": " + nvml_->text_of(status) +
              (status == detail::nvml_library::no_permission
                   ? "; let an administrator allow it (nvidia-smi -acp 0), or run as root"
                   : "; see what nvidia-smi says of the GPU"));
}

}  // namespace fettle
