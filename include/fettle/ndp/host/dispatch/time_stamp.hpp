// time_stamp: the processor's time stamp counter, which costs a fraction of reading a clock. What
// it counts is known only about, so it serves to tell short times from those worth a look at the
// clock.
#pragma once

#include <chrono>
#include <cstdint>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

#if defined(__x86_64__) || defined(__i386__)
inline constexpr bool has_time_stamp = true;
[[nodiscard]] inline std::uint64_t time_stamp() noexcept { return __builtin_ia32_rdtsc(); }
#else
inline constexpr bool has_time_stamp = false;
[[nodiscard]] inline std::uint64_t time_stamp() noexcept { return 0; }
#endif

/// From one count to the next, about: counters run at 1.5 to 4 GHz.
inline constexpr std::chrono::duration<double> time_of_stamp{0.4e-9};

}  // namespace fettle::ndp::host::detail
