// Sets a GPU's clock before variants run: rarely enough that it pays. A guard process restores it
// after a crash. Once another process sets the clock too, this one stops.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/clock_guard.hpp>
#include <fettle/measure/nvml_clocks.hpp>
#include <fettle/measure/timer.hpp>

namespace fettle::inline FETTLE_ABI {

/// How often the clock is changed.
struct clock_hysteresis {
  /// The fraction of all time that changes may cost: a clock is kept until the time to set it was
  /// at most this fraction. Until then requests are ignored, and variants run at the clock that is
  /// set.
  double overhead = 0.02;
  double least_s = 0.01;  ///< a clock stays at least so long: sensors and governors lag
};

/// The clock of one GPU, as this process sets it. Thread-safe; variants of one GPU that run at the
/// same time share its clock, and the last one that was set holds.
class clock_setter {
 public:
  /// Throws fettle::error where clocks cannot be set, or cannot be guarded; the message is the one
  /// sentence that a user gets.
  explicit clock_setter(unsigned device = 0, const std::string& library = detail::nvml_path(),
                        clock_hysteresis rule = {});
  clock_setter(const clock_setter&) = delete;
  clock_setter& operator=(const clock_setter&) = delete;
  /// Sets back what was there before, if anything was changed.
  ~clock_setter();

  /// Wishes for MHz; 0: what was there before. True where they are set now. Never throws: what
  /// goes wrong ends all changes, and problem() says it.
  bool wish(unsigned mhz) noexcept;

  /// Sets MHz whatever the rule says, for measurements. Throws fettle::error where it cannot.
  void force(unsigned mhz);

  /// MHz that are set; 0: what was there before.
  [[nodiscard]] unsigned now() const;
  /// Mean seconds that setting a clock took; not a number before the first time.
  [[nodiscard]] double cost_s() const;
  [[nodiscard]] std::size_t changes() const;
  /// Why clocks are not changed any more; empty while they are.
  [[nodiscard]] std::string problem() const;

  [[nodiscard]] const std::vector<unsigned>& offered() const noexcept { return clocks_.offered(); }
  [[nodiscard]] const std::string& name() const noexcept { return clocks_.name(); }
  [[nodiscard]] pid_t guard() const noexcept { return guard_.process(); }

 private:
  void change(unsigned mhz);
  void check_whose() const;

  mutable std::mutex mutex_;
  pid_t owner_ = getpid();  ///< children that it forks change nothing
  nvml_clocks clocks_;
  clock_guard guard_;
  clock_hysteresis rule_;
  unsigned now_ = 0;
  unsigned set_ = 0;  ///< what the device said after the last change; 0: cannot be asked
  double spent_s_ = 0.0;
  std::size_t changes_ = 0;
  double last_ = -std::numeric_limits<double>::infinity();  ///< by the timer
  timer since_;
  std::string problem_;
};

namespace detail {

/// The setter of this process's GPU, made when it is asked for first: $FETTLE_CLOCK_DEVICE, or the
/// first of nvidia-smi. Null, and `problem` says why, where there is none.
clock_setter* process_clocks(std::string& problem);

}  // namespace detail
}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/clock_setter.ipp>
#endif
