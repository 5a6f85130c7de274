// Tells the thread sanitizer of an order between threads that it cannot see by itself, because the
// library that makes it was not compiled for it. In programs without that sanitizer: nothing.
#pragma once

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool thread_sanitizer = true;  // GCC
#elif !defined(__has_feature)
inline constexpr bool thread_sanitizer = false;
#elif __has_feature(thread_sanitizer)
inline constexpr bool thread_sanitizer = true;  // Clang
#else
inline constexpr bool thread_sanitizer = false;
#endif

// The sanitizer's own functions, of its runtime library; declared here for every program, called
// only in those that have it.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __tsan_acquire(void* mark);
extern "C" void __tsan_release(void* mark);
// NOLINTEND(bugprone-reserved-identifier)

/// What this thread has done so far comes before what other threads do after a later
/// comes_after(mark). The mark is an address, nothing else: it is never looked at.
inline void comes_before([[maybe_unused]] const void* mark) noexcept {
  if constexpr (thread_sanitizer) __tsan_release(const_cast<void*>(mark));
}
inline void comes_after([[maybe_unused]] const void* mark) noexcept {
  if constexpr (thread_sanitizer) __tsan_acquire(const_cast<void*>(mark));
}

}  // namespace fettle::detail
