// shared_loop: elements of a user's function on a team, whose threads measure what they do and take
// as much at a time as is worth it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/host/dispatch/head_start.hpp>
#include <fettle/ndp/host/team/shared_ranges.hpp>
#include <fettle/ndp/host/team/team_like.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How many elements a thread takes at a time: enough to be worth the look at the clock and at what
/// others left, and few enough to leave some to others.
class pace {
 public:
  /// `part`: about what falls to a thread.
  pace(head_start::seconds each, index_t part) noexcept
      : measured_{0, each}, part_(part), most_(in_blocks(measured_.elements_in(usual))) {}

  [[nodiscard]] index_t least() const noexcept { return in_blocks(measured_.elements_in(worth)); }
  [[nodiscard]] index_t most() const noexcept { return std::max(most_, least()); }

  /// After an interruption, or where elements differ, the next ones are fewer at once, but become
  /// more step by step.
  void learn(index_t elements, head_start::seconds took) noexcept {
    measured_.each = std::max(took / static_cast<double>(elements), head_start::seconds(1e-12));
    const index_t some =
        std::clamp(part_ / 32, measured_.elements_in(usual), measured_.elements_in(longest));
    most_ = in_blocks(std::min(some, 4 * elements));
  }

  static constexpr std::chrono::microseconds worth{3};
  static constexpr std::chrono::microseconds usual{8};
  static constexpr std::chrono::microseconds longest{50};

 private:
  // As many as vectors take without a rest.
  [[nodiscard]] static index_t in_blocks(index_t elements) noexcept {
    constexpr index_t block = 64;
    return elements < 2 * block ? elements : elements / block * block;
  }

  head_start measured_;
  index_t part_;
  index_t most_;
};

/// An equal part of [0, count) for each thread, in one. Returns what an element took the first.
template <team_like Team, typename Work>
head_start::seconds in_equal_parts(const Team& at, int threads, index_t count, const Work& work) {
  using clock = std::chrono::steady_clock;
  head_start::seconds each{};
  at.for_tiles(threads, 1, [&, threads, count](const auto& assigned) {
    assigned.for_each([&](int part) {
      const index_t begin = part_begin(count, part, threads);
      const index_t end = part_begin(count, part + 1, threads);
      if (begin == end) return;
      if (part > 0) return work(begin, end);
      const auto begun = clock::now();
      work(begin, end);
      each = (clock::now() - begun) / static_cast<double>(end - begin);
    });
  });
  return each;
}

/// The same in ranges of elements that take about `each`, which threads take from one another.
template <team_like Team, typename Work>
head_start::seconds in_shared_ranges(const Team& at, int threads, index_t count,
                                     head_start::seconds each, const Work& work) {
  using clock = std::chrono::steady_clock;
  shared_ranges ranges(count, threads);
  std::atomic<bool> failed{false};
  head_start::seconds first_took{};
  const auto goes_on = [&] { return !failed.load(std::memory_order_relaxed); };
  const auto work_off = [&](int part) {
    pace current(each, count / threads);
    const auto first = clock::now();
    auto begun = first;
    index_t done = 0;
    do {
      while (goes_on()) {
        const auto [begin, end] = ranges.take(part, current.least(), current.most());
        if (begin == end) break;
        work(begin, end);
        const auto now = clock::now();
        current.learn(end - begin, now - begun);
        begun = now;
        done += end - begin;
      }
    } while (goes_on() && ranges.steal(part));
    if (part == 0 && done > 0) first_took = (begun - first) / static_cast<double>(done);
  };
  at.for_tiles(threads, 1, [&](const auto& assigned) {
    assigned.for_each([&](int part) {
      try {
        work_off(part);
      } catch (...) {
        failed = true;
        throw;
      }
    });
  });
  return first_took;
}

/// work(begin, end) for ranges that are [0, count) together, on a team, for elements that take
/// about `each`. Returns what they took.
template <team_like Team, typename Work>
head_start::seconds for_shared(const Team& at, int threads, index_t count, head_start::seconds each,
                               const Work& work) {
  if (each * static_cast<double>(count) < 1.5 * threads * pace::worth) {
    return in_equal_parts(at, threads, count, work);
  }
  return in_shared_ranges(at, threads, count, each, work);
}

}  // namespace fettle::ndp::host::detail
