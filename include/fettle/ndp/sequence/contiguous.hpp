// sequence<T>: a view over T's that are contiguous in memory, of the processor or of a
// GPU; the leaf of every expression.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// `size` elements from `data` on; sequence<const T> is read only. Copying it copies no element;
/// it does not own the memory.
template <typename T>
class sequence {
 public:
  using value_type = std::remove_cv_t<T>;

  constexpr sequence() = default;
  FETTLE_HOST_DEVICE constexpr sequence(T* data, index_t size) : data_(data), size_(size) {}

  /// sequence<T> is usable where sequence<const T> is asked for.
  template <typename U>
    requires(std::is_same_v<const U, T>)
  FETTLE_HOST_DEVICE constexpr sequence(const sequence<U>& other)
      : data_(other.data()), size_(other.size()) {}

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr T* data() const { return data_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return size_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr T* begin() const { return data_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr T* end() const { return data_ + size_; }

  FETTLE_HOST_DEVICE constexpr T& operator[](index_t i) const {
    check_index("sequence", i, size_);
    return data_[i];
  }

 private:
  T* data_ = nullptr;
  index_t size_ = 0;
};

namespace detail {

FETTLE_HOST_DEVICE constexpr void check_subsequence(index_t first, index_t count, index_t size) {
  if constexpr (checked) {
    require_at_least("subsequence", "negative length", count, 0);
    if (count > 0) {
      check_index("subsequence", first, size);
      check_index("subsequence", first + count - 1, size);
    }
  }
}

}  // namespace detail

/// `count` elements of `s` from `first` on.
template <typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr sequence<T> subsequence(const sequence<T>& s,
                                                                   index_t first, index_t count) {
  detail::check_subsequence(first, count, s.size());
  return {s.data() + first, count};
}

/// Refuses a beginning or a length that would be cut to an integer.
template <typename S, typename First, typename Count>
  requires(detail::no_integer<First> || detail::no_integer<Count>)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto subsequence(const S&, First, Count) {
  constexpr bool integers = !detail::no_integer<First> && !detail::no_integer<Count>;
  static_assert(integers, "subsequence: the beginning and the length must be integers");
  return invalid_expression{};
}

}  // namespace fettle::ndp
