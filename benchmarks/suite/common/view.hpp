// view: a pointer and a length, all that a computation of the suite sees of its inputs and output.
#pragma once

#include <cstdint>

#include <fettle/core/host_device.hpp>

namespace suite {

using index = std::int32_t;

template <typename T>
class view {
 public:
  FETTLE_HOST_DEVICE view(T* data, index size) : data_(data), size_(size) {}

  [[nodiscard]] FETTLE_HOST_DEVICE T* data() const { return data_; }
  [[nodiscard]] FETTLE_HOST_DEVICE index size() const { return size_; }
  [[nodiscard]] FETTLE_HOST_DEVICE T* begin() const { return data_; }
  [[nodiscard]] FETTLE_HOST_DEVICE T* end() const { return data_ + size_; }
  FETTLE_HOST_DEVICE T& operator[](index i) const { return data_[i]; }

 private:
  T* data_;
  index size_;
};

struct plus {
  template <typename T>
  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct minimum {
  template <typename T>
  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct maximum {
  template <typename T>
  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

}  // namespace suite
