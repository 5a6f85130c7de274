// The core clock of an NVIDIA GPU, by NVML: lists the clocks that it offers, reads the one that is
// set, and sets it. Most drivers allow only root to set clocks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/nvml_library.hpp>

namespace fettle::inline FETTLE_ABI {

/// The application clock of a GPU, or its locked clock where it has none. The memory clock stays.
/// Nothing is changed before set(); what is changed stays so after the program ends, so that
/// programs set clocks through fettle::clock_setter, which has a guard.
class nvml_clocks {
 public:
  /// `device` counts as nvidia-smi does. Throws fettle::error where there is no library, no such
  /// device, or where it offers no clocks or does not let this user set them.
  explicit nvml_clocks(unsigned device = 0, const std::string& library = detail::nvml_path());
  nvml_clocks(const nvml_clocks&) = delete;
  nvml_clocks& operator=(const nvml_clocks&) = delete;

  /// MHz of the core at the present memory clock, ascending.
  [[nodiscard]] const std::vector<unsigned>& offered() const noexcept { return offered_; }

  /// MHz that are set now, by whomever; 0 where it cannot be asked, as for a locked clock. Throws
  /// fettle::error where the device is lost.
  [[nodiscard]] unsigned set_now() const;

  /// What set_now() was when this was made; 0 where it was the device's default.
  [[nodiscard]] unsigned before() const noexcept { return before_; }

  /// Sets MHz that are offered; 0: the device's default. Throws fettle::error, naming the reason.
  void set(unsigned mhz);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] unsigned device() const noexcept { return number_; }
  [[nodiscard]] const std::string& library() const noexcept { return library_; }

 private:
  void find_offered();
  void check_permission() const;

  std::string library_;
  unsigned number_;
  std::unique_ptr<detail::nvml_library> nvml_;
  void* device_ = nullptr;
  std::string name_;
  std::vector<unsigned> offered_;
  unsigned memory_ = 0;      // MHz
  bool application_ = true;  // false: locked clocks
  unsigned before_ = 0;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/nvml_clocks.ipp>
#endif
