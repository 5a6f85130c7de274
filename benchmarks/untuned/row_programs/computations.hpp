// The row programs of this benchmark, and the same in separate computations.
#pragma once

#include <cmath>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp.hpp>

namespace row_programs {

namespace ndp = fettle::ndp;

template <typename T>
struct exp_above {
  T largest;
  FETTLE_HOST_DEVICE T operator()(T x) const { return std::exp(x - largest); }
};
template <typename T>
struct scaled {
  T factor;
  FETTLE_HOST_DEVICE T operator()(T x) const { return x * factor; }
};
template <typename T>
struct squared_from {
  T mean;
  FETTLE_HOST_DEVICE T operator()(T x) const { return (x - mean) * (x - mean); }
};
template <typename T>
struct normalise {
  T mean, scale;
  FETTLE_HOST_DEVICE T operator()(T x) const { return (x - mean) * scale; }
};

template <typename T>
struct softmax {
  static constexpr const char* name = "softmax";
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    const T largest = ndp::reduce(ndp::maximum{}, row);
    const auto powers = ndp::map(exp_above<T>{largest}, row);
    const T sum = ndp::reduce(ndp::plus{}, powers);
    return ndp::map(scaled<T>{T(1) / sum}, powers);
  }
};
template <typename T>
struct layer_norm {
  static constexpr const char* name = "layer_norm";
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    const T n = static_cast<T>(row.size());
    const T mean = ndp::reduce(ndp::plus{}, row, T(0)) / n;
    const T variance = ndp::reduce(ndp::plus{}, ndp::map(squared_from<T>{mean}, row), T(0)) / n;
    return ndp::map(normalise<T>{mean, T(1) / std::sqrt(variance + T(1e-5))}, row);
  }
};
template <typename T>
struct variance {
  static constexpr const char* name = "variance";
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    const T n = static_cast<T>(row.size());
    const T mean = ndp::reduce(ndp::plus{}, row, T(0)) / n;
    return ndp::reduce(ndp::plus{}, ndp::map(squared_from<T>{mean}, row), T(0)) / n;
  }
};

template <typename T>
struct numbered {
  T value;
  int index;
};
template <typename T>
struct greater_of {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE numbered<T> operator()(const numbered<T>& a, const numbered<T>& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};
template <typename T>
struct number {
  FETTLE_HOST_DEVICE numbered<T> operator()(T value, ndp::index_t i) const {
    return {value, static_cast<int>(i)};
  }
};
template <typename T>
struct largest_with_index {
  static constexpr const char* name = "maximum with index";
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(greater_of<T>{}, ndp::map(number<T>{}, row, ndp::range(0, row.size())),
                       numbered<T>{T(-1e30), 0});
  }
};

// ---- in separate computations --------------------------------------------------------------

struct row_maximum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::maximum{}, row);
  }
};
struct row_total {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row);
  }
};
template <typename T>
struct row_squares {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, T total) const {
    const T mean = total / static_cast<T>(row.size());
    return ndp::reduce(ndp::plus{}, ndp::map(squared_from<T>{mean}, row), T(0));
  }
};
template <typename T>
struct row_powers {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, T largest) const {
    return ndp::map(exp_above<T>{largest}, row);
  }
};
template <typename T>
struct row_shares {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, T sum) const {
    return ndp::map(scaled<T>{T(1) / sum}, row);
  }
};
template <typename T>
struct row_normalised {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, T total, T squares) const {
    const T n = static_cast<T>(row.size());
    return ndp::map(normalise<T>{total / n, T(1) / sqrt(squares / n + T(1e-5))}, row);
  }
};
template <typename T>
struct divide_by {
  T n;
  FETTLE_HOST_DEVICE T operator()(T x) const { return x / n; }
};

}  // namespace row_programs
