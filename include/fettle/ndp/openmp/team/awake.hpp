// awake: whether OpenMP's threads are likely to spin still, because the calling thread has used
// them just now. Starting a team of such threads takes a tenth of the time that waking them takes.
#pragma once

#include <chrono>
#include <cstdlib>
#include <string_view>

#include <fettle/core/abi.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

/// Far less than the milliseconds for which OpenMP's libraries spin by default.
inline constexpr std::chrono::microseconds surely_spinning{200};

// When this thread last computed something for which there was a team, or might have been: what
// is called over and over is worth waking the team once.
inline thread_local constinit std::chrono::steady_clock::time_point last_use{};

// Whether threads that wait spin at all.
inline const bool waits_by_spinning = [] {
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const char* const count = std::getenv("GOMP_SPINCOUNT");
  const auto is = [](const char* text, std::string_view one, std::string_view other) {
    return text != nullptr && (text == one || text == other);
  };
  return !is(policy, "passive", "PASSIVE") && !is(count, "0", "0");
}();

/// Whether `threads` threads can begin at once. Remembers that it was asked.
[[nodiscard]] inline bool is_awake([[maybe_unused]] int threads) noexcept {
  const auto now = std::chrono::steady_clock::now();
  const bool recently = now - last_use < surely_spinning;
  last_use = now;
#ifdef _OPENMP
  // More threads than processors do not spin.
  return recently && waits_by_spinning && threads <= omp_get_num_procs();
#else
  return recently;
#endif
}

/// The calling thread has just finished.
inline void remember_use() noexcept { last_use = std::chrono::steady_clock::now(); }

}  // namespace fettle::ndp::openmp::detail
