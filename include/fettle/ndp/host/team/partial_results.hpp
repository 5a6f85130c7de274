// partial_results: a partial result for each part of a computation, each on a separate cache line.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// `count` values that may be missing, written by different threads at once.
template <typename T>
class partial_results {
 public:
  partial_results() = default;
  explicit partial_results(index_t count) : results_(static_cast<std::size_t>(count)) {}

  [[nodiscard]] std::optional<T>& operator[](index_t i) noexcept {
    return results_[static_cast<std::size_t>(i)].value;
  }

 private:
  struct alignas(64) line {
    std::optional<T> value;
  };
  std::vector<line> results_;
};

/// `count` values, each of which the thread of its part writes before any thread reads it. The
/// memory is not touched before: the lines are where they were in the last computation, with the
/// threads that write them, so that none has to be fetched from another processor. That of up to 64
/// values is in the object itself: aligned memory takes an allocator a tenth of a microsecond.
template <typename T>
class uninitialised_results {
 public:
  explicit uninitialised_results(index_t count) {
    if constexpr (plain) {
      if (count <= inside) {
        first_ = reinterpret_cast<line*>(inside_);
        return;
      }
      results_.reset(static_cast<line*>(::operator new(
          static_cast<std::size_t>(count) * sizeof(line), std::align_val_t{alignof(line)})));
      first_ = results_.get();
    } else {
      results_ = partial_results<T>(count);
    }
  }
  uninitialised_results(const uninitialised_results&) = delete;
  uninitialised_results& operator=(const uninitialised_results&) = delete;
  ~uninitialised_results() = default;

  /// Writes the value, once.
  T& fill(index_t i, T value) {
    if constexpr (plain) {
      return *std::construct_at(&first_[i].value, std::move(value));
    } else {
      return results_[i].emplace(std::move(value));
    }
  }
  [[nodiscard]] T& operator[](index_t i) noexcept {
    if constexpr (plain) {
      return first_[i].value;
    } else {
      return *results_[i];
    }
  }

 private:
  // They need not be destroyed, so it does not matter which are written.
  static constexpr bool plain = std::is_trivially_destructible_v<T>;

  struct alignas(64) line {
    T value;
  };
  struct release {
    void operator()(line* memory) const noexcept {
      ::operator delete(memory, std::align_val_t{alignof(line)});
    }
  };
  static constexpr index_t inside = plain && sizeof(line) <= 128 ? 64 : 0;

  alignas(64) std::byte inside_[inside > 0 ? inside * sizeof(line) : 1];
  line* first_ = nullptr;
  std::conditional_t<plain, std::unique_ptr<line, release>, partial_results<T>> results_{};
};

}  // namespace fettle::ndp::host::detail
