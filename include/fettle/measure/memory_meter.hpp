// The meters of memory: what a run adds to the memory that is resident at most, and what it adds to
// the memory that a GPU has given out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/measure/nvml_library.hpp>

namespace fettle::inline FETTLE_ABI {

/// Bytes that the process has resident at most during a run, less those before it; the kernel
/// counts them (VmHWM). What the allocator keeps is given back before, so that it is seen again.
class memory_meter final : public meter {
 public:
  /// `process` is the folder in /proc.
  explicit memory_meter(std::string process = "/proc/self") : process_(std::move(process)) {}

  [[nodiscard]] std::vector<metric_name> metrics() const override { return {{"peak_bytes", "B"}}; }
  std::vector<meter_reading> measure(const std::function<void()>& work) override;

 private:
  std::string process_;
};

/// Bytes that a GPU has given out at most during a run, of all processes, less those before it:
/// looked at once a millisecond and after the run, so that what lives shorter may be missed.
class device_memory_meter final : public meter {
 public:
  /// `device` counts as nvidia-smi does. Where there is no such device the readings say so.
  explicit device_memory_meter(unsigned device = 0,
                               const std::string& library = detail::nvml_path());

  [[nodiscard]] std::vector<metric_name> metrics() const override {
    return {{"device_peak_bytes", "B"}};
  }
  std::vector<meter_reading> measure(const std::function<void()>& work) override;

 private:
  double used();

  std::unique_ptr<detail::nvml_library> nvml_;
  void* device_ = nullptr;
  std::string name_;
  std::string problem_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/memory_meter.ipp>
#endif
