// A process that sets a GPU's clock back when the program that changed it has ended, however it
// ended: by its own end, a crash, or kill -9.
#pragma once

#include <string>
#include <sys/types.h>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// The guard of this process. It is this program, started again: a static object of this header
/// sees by an environment variable that it is to be a guard, and neither main() nor any code behind
/// it runs. It waits until the process is gone; then, if a clock was changed, it sets back what was
/// there before. Signals that end a terminal's processes do not reach it.
class clock_guard {
 public:
  /// Starts it and waits until it watches. `before` MHz are set back; 0: the device's default.
  /// Throws fettle::error where it does not start, as where the program is a script's interpreter.
  clock_guard(unsigned device, const std::string& library, unsigned before);
  clock_guard(const clock_guard&) = delete;
  clock_guard& operator=(const clock_guard&) = delete;
  /// The guard ends; it sets the clock back where `changed` was said last.
  ~clock_guard();

  /// Tells it that the clock is about to be changed, or was set back. False where it is gone: then
  /// nothing must be changed.
  [[nodiscard]] bool tell(bool changed);

  [[nodiscard]] pid_t process() const noexcept { return process_; }

 private:
  int socket_ = -1;
  pid_t process_ = -1;
};

namespace detail {

/// Guards and never returns, where this process was started to; else does nothing.
bool guard_if_asked();

/// Runs before main().
inline const bool guard_was_asked = guard_if_asked();

}  // namespace detail
}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/clock_guard.ipp>
#endif
