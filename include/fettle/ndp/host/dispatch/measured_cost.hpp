// measured_cost: what an element of a computation took when it ran last. The type of a computation
// stands for it: each function object has another type, and mostly costs the same again. Only how
// a computation is divided depends on it, never its result.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// One time, which any thread may read and replace.
class measured_cost {
 public:
  using seconds = std::chrono::duration<double>;

  /// 0: nothing is known.
  [[nodiscard]] seconds each() const noexcept {
    return seconds(each_.load(std::memory_order_relaxed));
  }
  /// A longer time than before may be an interruption, so that it counts twice the former at most.
  /// A time that is about the same is not written: other threads may have it in their caches.
  void learn(seconds measured) noexcept {
    if (measured <= seconds{}) return;
    const double before = each().count();
    const double longest = before > 0 ? 2 * before : measured.count();
    const double now = std::clamp(measured.count(), shortest, std::max(longest, shortest));
    if (now < 0.9 * before || now > 1.1 * before) {
      each_.store(static_cast<float>(now), std::memory_order_relaxed);
    }
  }

 private:
  static constexpr double shortest = 1e-12;

  std::atomic<float> each_{0};
};

/// That of computations of a type.
template <typename Computation>
inline constinit measured_cost cost_of{};

}  // namespace fettle::ndp::host::detail
