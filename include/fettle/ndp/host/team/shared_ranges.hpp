// shared_ranges: a loop of which each thread has an equal part, begins with its front, and, when it
// is done, takes half of what another one has left. How much a thread takes at a time is its own
// choice, so that it can go by what it measures.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The elements [0, count) while `threads` threads share them. Usable once.
class shared_ranges {
 public:
  struct range {
    index_t begin;
    index_t end;
  };

  shared_ranges(index_t count, int threads)
      : threads_(threads),
        count_(count),
        unit_(ceiling_quotient(std::max<index_t>(count, 1), most_units)),
        more_(threads > few ? static_cast<std::size_t>(threads) : 0),
        parts_(threads > few ? more_.data() : few_.data()) {
    const index_t units = ceiling_quotient(count, unit_);
    const index_t lined_up = units >= aligned * 16 * threads ? aligned : 1;
    index_t begin = 0;
    for (int i = 0; i < threads; ++i) {
      const index_t end =
          i + 1 == threads ? units : part_begin(units, i + 1, threads) / lined_up * lined_up;
      parts_[i].left.store(packed(begin, end), std::memory_order_relaxed);
      begin = end;
    }
  }
  shared_ranges(const shared_ranges&) = delete;
  shared_ranges& operator=(const shared_ranges&) = delete;

  /// The front of a thread's part: half of it, but about `least` elements at least, `most` at
  /// most, as far as there are so many. Empty if nothing is left.
  [[nodiscard]] range take(int part, index_t least, index_t most) noexcept {
    std::atomic<std::uint64_t>& left = parts_[part].left;
    std::uint64_t now = left.load(std::memory_order_relaxed);
    while (begin_of(now) < end_of(now)) {
      const index_t units = end_of(now) - begin_of(now);
      const index_t end = begin_of(now) + some_of(units, in_units(least), in_units(most));
      if (left.compare_exchange_weak(now, packed(end, end_of(now)), std::memory_order_relaxed)) {
        return {begin_of(now) * unit_, std::min(end * unit_, count_)};
      }
    }
    return {0, 0};
  }

  /// Makes half of what another thread has left a thread's part, which has to be empty. False: none
  /// has anything left.
  [[nodiscard]] bool steal(int part) noexcept {
    for (int i = 1; i < threads_; ++i) {
      std::atomic<std::uint64_t>& left = parts_[(part + i) % threads_].left;
      std::uint64_t now = left.load(std::memory_order_relaxed);
      while (begin_of(now) < end_of(now)) {
        const index_t middle = begin_of(now) + (end_of(now) - begin_of(now)) / 2;
        if (left.compare_exchange_weak(now, packed(begin_of(now), middle),
                                       std::memory_order_relaxed)) {
          parts_[part].left.store(packed(middle, end_of(now)), std::memory_order_relaxed);
          return true;
        }
      }
    }
    return false;
  }

 private:
  // What is left of a part is one number, so that its thread and others agree on it.
  struct alignas(64) part_of_thread {
    std::atomic<std::uint64_t> left{0};
  };

  static constexpr int few = 16;
  static constexpr index_t aligned = 64;  // where parts of many elements begin
  static constexpr index_t most_units = index_t{1} << 31;

  [[nodiscard]] static std::uint64_t packed(index_t begin, index_t end) noexcept {
    return static_cast<std::uint64_t>(begin) << 32 | static_cast<std::uint64_t>(end);
  }
  [[nodiscard]] static index_t begin_of(std::uint64_t left) noexcept {
    return static_cast<index_t>(left >> 32);
  }
  [[nodiscard]] static index_t end_of(std::uint64_t left) noexcept {
    return static_cast<index_t>(left & 0xffffffffU);
  }
  // All where less than half of `least` would be left.
  [[nodiscard]] static index_t some_of(index_t units, index_t least, index_t most) noexcept {
    const index_t some = std::min(std::max(units / 2, least), most);
    return units - some < (least + 1) / 2 ? units : some;
  }
  [[nodiscard]] index_t in_units(index_t elements) const noexcept {
    return std::max<index_t>(elements / unit_, 1);
  }

  int threads_;
  index_t count_;
  index_t unit_;  // elements
  std::array<part_of_thread, few> few_;
  std::vector<part_of_thread> more_;
  part_of_thread* parts_;
};

}  // namespace fettle::ndp::host::detail
