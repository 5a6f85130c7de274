// monitor = N: one call in N is timed and compared with what the model expects of its variant, so
// that a program notices a driver update, another clock or a noisy neighbour.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Cumulative sums of standardised differences (CUSUM, Page 1954), upward and downward: a shift of
/// two standard deviations shows after 8 differences, and without one it takes some 500,000 until
/// one seems to.
class cumulative_sums {
 public:
  static constexpr double slack = 0.5;
  static constexpr double limit = 12.0;
  static constexpr double largest = 4.0;  ///< a difference counts no more: some inputs are odd

  /// +1: costs have become larger; -1: smaller; 0: nothing is certain. Begins anew after either.
  int add(double difference) noexcept;

  void restart() noexcept { up_ = down_ = 0; }

 private:
  double up_ = 0;
  double down_ = 0;
};

/// Which monitored calls were on inputs seen before. A model is off by about the same on one input
/// each time, which says nothing: such a call is compared with the first ones on its input.
class known_inputs {
 public:
  /// The difference that counts, of one from the model on an input with these features and variant.
  /// Nothing for the second to fourth call on an input, which are learned from.
  std::optional<double> counted(std::span<const double> features, std::size_t variant,
                                double difference) noexcept;

 private:
  struct entry {
    std::uint64_t key = 0;
    unsigned calls = 0;
    double mean = 0;
  };
  static constexpr unsigned learned = 4;
  std::array<entry, 64> entries_{};
};

/// Watches the calls of one tuned function. Thread-safe; counting calls takes a nanosecond.
class cost_monitor {
 public:
  /// Whether this call is to be timed: one in `every`, the first one not.
  bool is_due(unsigned every) noexcept {
    const unsigned calls = calls_.load(std::memory_order_relaxed) + 1;  // races lose a call
    calls_.store(calls == every ? 0 : calls, std::memory_order_relaxed);
    return calls == every;
  }

  /// Whether variant k has been found to cost more than expected.
  [[nodiscard]] bool is_withdrawn(std::size_t k) const noexcept {
    return has_withdrawn() && withdrawn(k);
  }
  /// Whether some variant has.
  [[nodiscard]] bool has_withdrawn() const noexcept {
    return has_withdrawn_.load(std::memory_order_relaxed);
  }

  /// Takes in what a call by the model's choice of variant k has cost; `values` are the model's
  /// features. Tells the context's warning handler once the difference is significant.
  void note(const call_plan& plan, const registry& function, context& shared, std::size_t k,
            std::span<const double> values, double metric);

 private:
  struct watched {
    const model::expectation* expected = nullptr;
    cumulative_sums sums;
    double total = 0;  // of the differences since the sums began
    unsigned calls = 0;
    int reported = 0;  // the direction of the last message: it is not repeated
  };

  [[nodiscard]] bool withdrawn(std::size_t k) const noexcept;
  void begin(const call_plan& plan, const registry& function, context& shared);
  void tell(const registry& function, context& shared, std::size_t k, int direction);

  std::atomic<unsigned> calls_{0};
  std::atomic<bool> has_withdrawn_{false};
  std::array<std::atomic<std::uint64_t>, 16> withdrawn_{};  // bits, of maximum_classes variants
  std::mutex mutex_;
  bool begun_ = false;
  model::input_stage stage_;
  std::vector<watched> variants_;
  known_inputs inputs_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/online/cost_monitor.ipp>
#endif
