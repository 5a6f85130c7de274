// window: a run of consecutive elements of any sequence; what the rows of a nested sequence are
// where they do not lie in memory.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// window(s, first, count)[i] = s[first + i]
template <random_access S>
class window {
 public:
  using value_type = typename S::value_type;

  constexpr window() = default;
  FETTLE_HOST_DEVICE constexpr window(const S& base, index_t first, index_t count)
      : base_(base), first_(first), count_(count) {}

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr const S& base() const { return base_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t first() const { return first_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const
    requires has_row_size<S>
  {
    return base_.row_size();
  }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("window", i, count_);
    return base_[first_ + i];
  }

 private:
  S base_{};
  index_t first_ = 0;
  index_t count_ = 0;
};

/// `count` elements of `s` from `first` on.
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr window<S> subsequence(const S& s, index_t first,
                                                                 index_t count) {
  detail::check_subsequence(first, count, s.size());
  return {s, first, count};
}

/// A window of a window is one window.
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr window<S> subsequence(const window<S>& s, index_t first,
                                                                 index_t count) {
  detail::check_subsequence(first, count, s.size());
  return {s.base(), s.first() + first, count};
}

}  // namespace fettle::ndp
