// slots: a partial result for each part of a computation, on a cache line of its own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fettle/ndp/index.hpp>

namespace fettle::ndp::openmp {

/// `count` values that may be missing, written by different threads at once.
template <typename T>
class slots {
 public:
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

}  // namespace fettle::ndp::openmp
