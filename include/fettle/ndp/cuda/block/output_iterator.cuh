// What CUB's device-wide algorithms write: each result is handed with its index to a function.
#pragma once

#include <iterator>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// out[i] = value calls write(i, value), with a value of type T.
template <typename T, typename Write>
struct output_iterator {
  struct element {
    Write write;
    index_t at;
    FETTLE_HOST_DEVICE const element& operator=(const T& value) const {
      write(at, value);
      return *this;
    }
  };
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = index_t;
  using pointer = void;
  using reference = element;

  Write write;
  index_t at = 0;

  FETTLE_HOST_DEVICE element operator*() const { return {write, at}; }
  FETTLE_HOST_DEVICE element operator[](index_t i) const { return {write, at + i}; }
  FETTLE_HOST_DEVICE output_iterator operator+(index_t i) const { return {write, at + i}; }
  FETTLE_HOST_DEVICE output_iterator& operator+=(index_t i) {
    at += i;
    return *this;
  }
};

/// Puts values into a destination.
template <typename D>
struct store_to {
  D destination;

  template <typename T>
  FETTLE_HOST_DEVICE void operator()(index_t i, const T& value) const {
    store(destination[i], value);
  }
};

/// ... as far as it has room.
template <typename D>
struct store_where_room {
  D destination;

  template <typename T>
  FETTLE_HOST_DEVICE void operator()(index_t i, const T& value) const {
    if (i < destination.size()) store(destination[i], value);
  }
};

/// ... each with the seed before it.
template <typename D, typename Op, typename T>
struct store_seeded {
  D destination;
  Op op;
  T seed;

  FETTLE_HOST_DEVICE void operator()(index_t i, const T& value) const {
    store(destination[i], static_cast<T>(op(seed, value)));
  }
};

template <typename T, typename Write>
[[nodiscard]] output_iterator<T, Write> output_to(const Write& write) {
  return {write};
}

}  // namespace fettle::ndp::cuda::detail
