// What CUB's device-wide algorithms read: a sequence's elements through an iterator.
#pragma once

#include <iterator>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A sequence's elements as T's.
template <typename S, typename T>
struct element_iterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = index_t;
  using pointer = const T*;
  using reference = T;

  S source;
  index_t at = 0;

  FETTLE_HOST_DEVICE T operator*() const { return static_cast<T>(source[at]); }
  FETTLE_HOST_DEVICE T operator[](index_t i) const { return static_cast<T>(source[at + i]); }
  FETTLE_HOST_DEVICE element_iterator operator+(index_t n) const { return {source, at + n}; }
  FETTLE_HOST_DEVICE element_iterator operator-(index_t n) const { return {source, at - n}; }
  FETTLE_HOST_DEVICE index_t operator-(const element_iterator& other) const {
    return at - other.at;
  }
  FETTLE_HOST_DEVICE element_iterator& operator+=(index_t n) {
    at += n;
    return *this;
  }
  FETTLE_HOST_DEVICE element_iterator& operator++() { return *this += 1; }
};

/// Memory of T's as what it is, so that CUB reads it its best way.
template <typename T, typename S>
[[nodiscard]] auto iterator_over(const S& s) {
  return element_iterator<S, T>{s};
}
template <typename T, typename V>
  requires std::is_same_v<std::remove_const_t<V>, T>
[[nodiscard]] const T* iterator_over(const sequence<V>& s) {
  return s.data();
}

}  // namespace fettle::ndp::cuda::detail
