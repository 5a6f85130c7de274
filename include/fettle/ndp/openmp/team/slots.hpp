// slots: a partial result for each part of a computation, on a cache line of its own.
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

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// `count` values that may be missing, written by different threads at once.
template <typename T>
class slots {
 public:
  slots() = default;
  explicit slots(index_t count) : slots_(static_cast<std::size_t>(count)) {}

  [[nodiscard]] std::optional<T>& operator[](index_t i) noexcept {
    return slots_[static_cast<std::size_t>(i)].value;
  }

 private:
  struct alignas(64) slot {
    std::optional<T> value;
  };
  std::vector<slot> slots_;
};

/// `count` values, each of which its part's thread puts there before anybody reads it. The memory
/// is not touched before: the lines are where they were in the last computation, with the threads
/// that write them, so that none has to be fetched from another processor. That of up to 64 values
/// is in the object itself: aligned memory takes an allocator a tenth of a microsecond.
template <typename T>
class filled_slots {
 public:
  explicit filled_slots(index_t count) {
    if constexpr (plain) {
      if (count <= inside) {
        first_ = reinterpret_cast<slot*>(inside_);
        return;
      }
      slots_.reset(static_cast<slot*>(::operator new(static_cast<std::size_t>(count) * sizeof(slot),
                                                     std::align_val_t{alignof(slot)})));
      first_ = slots_.get();
    } else {
      slots_ = slots<T>(count);
    }
  }
  filled_slots(const filled_slots&) = delete;
  filled_slots& operator=(const filled_slots&) = delete;
  ~filled_slots() = default;

  /// Puts the value there, once.
  T& fill(index_t i, T value) {
    if constexpr (plain) {
      return *std::construct_at(&first_[i].value, std::move(value));
    } else {
      return slots_[i].emplace(std::move(value));
    }
  }
  [[nodiscard]] T& operator[](index_t i) noexcept {
    if constexpr (plain) {
      return first_[i].value;
    } else {
      return *slots_[i];
    }
  }

 private:
  // Nobody has to know which values are there in order to destroy them.
  static constexpr bool plain = std::is_trivially_destructible_v<T>;

  struct alignas(64) slot {
    T value;
  };
  struct release {
    void operator()(slot* memory) const noexcept {
      ::operator delete(memory, std::align_val_t{alignof(slot)});
    }
  };
  static constexpr index_t inside = plain && sizeof(slot) <= 128 ? 64 : 0;

  alignas(64) std::byte inside_[inside > 0 ? inside * sizeof(slot) : 1];
  slot* first_ = nullptr;
  std::conditional_t<plain, std::unique_ptr<slot, release>, slots<T>> slots_{};
};

}  // namespace fettle::ndp::openmp
