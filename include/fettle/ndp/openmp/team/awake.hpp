// awake: whether OpenMP's threads are likely to spin still, because the calling thread has used
// them just now. Starting a team of such threads takes a tenth of the time that waking them takes.
// Only how a computation is divided depends on it, never its result.
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
inline constexpr std::chrono::microseconds surely_spinning{1000};

// When this thread last finished a computation on a team, or asked whether a team is awake: a
// computation that is repeated may wake the team once for those that follow.
inline thread_local constinit std::chrono::steady_clock::time_point last_use{};

// Whether threads that wait spin at all.
inline const bool waits_by_spinning = [] {
  const auto is = [](const char* variable, std::string_view one, std::string_view other) {
    const char* const text = std::getenv(variable);
    return text != nullptr && (text == one || text == other);
  };
  return !is("OMP_WAIT_POLICY", "passive", "PASSIVE") && !is("GOMP_SPINCOUNT", "0", "0");
}();

#ifdef _OPENMP
// Asking OpenMP is a system call.
inline const int processors = omp_get_num_procs();
#endif

/// Whether `threads` threads can probably begin at once. Remembers that it was asked. A nested
/// region starts new threads, and more threads than processors do not spin. What other
/// programs and other threads of this one do with the processors is not known; where it matters,
/// the answer costs the time of waking a team.
[[nodiscard]] inline bool is_awake([[maybe_unused]] int threads) noexcept {
  const auto now = std::chrono::steady_clock::now();
  const bool recently = now - last_use < surely_spinning;
  last_use = now;
#ifdef _OPENMP
  return recently && waits_by_spinning && omp_in_parallel() == 0 && threads <= processors;
#else
  return recently;
#endif
}

/// The calling thread has just finished.
inline void remember_use() noexcept { last_use = std::chrono::steady_clock::now(); }

}  // namespace fettle::ndp::openmp::detail
