// Include this in a test program that proves what is not allocated: it replaces the global operator
// new, so one file of a program may have it. Where it cannot be replaced (Clang's thread sanitizer
// brings its own), TEST_CANNOT_COUNT_ALLOCATIONS is defined.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__clang__)
#if __has_feature(thread_sanitizer)
#define TEST_CANNOT_COUNT_ALLOCATIONS
#endif
#endif

namespace test {

/// How many times memory was asked for; tests subtract.
inline std::atomic<std::size_t> allocations{0};
/// The most bytes that were asked for at once; tests set it to 0.
inline std::atomic<std::size_t> largest_allocation{0};

inline void note_allocation(std::size_t bytes) noexcept {
  ++allocations;
  std::size_t known = largest_allocation.load();
  while (bytes > known && !largest_allocation.compare_exchange_weak(known, bytes)) {
  }
}

}  // namespace test

#ifndef TEST_CANNOT_COUNT_ALLOCATIONS

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  test::note_allocation(bytes);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  test::note_allocation(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  test::note_allocation(bytes);
  const auto to = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(to, (bytes + to - 1) / to * to)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return ::operator new(bytes); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/,
                                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

#endif
