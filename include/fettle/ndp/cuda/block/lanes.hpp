// What the lanes of a logical warp do together, written for any type that moves values between
// lanes: warp_resource by shuffles, the tests' emulation by memory. Order is kept. Needs no CUDA.
//
// A Warp has size and rank(), and, called by all lanes together,
//   from_lane_above(value, distance)   lane rank + distance's value; past the last lane, anything
//   from_lane_below(value, distance)   lane rank - distance's value; before the first, anything
//   from_lane(value, lane)             that lane's value
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// All lanes' partial values, in order; right at rank 0. After the step of distance d, a lane has
/// the values of itself and the 2 d - 1 lanes after it, or of as many as there are.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Warp, bool Inclusive = false, typename Op, typename T>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> combined_by_lanes(const Op& op,
                                                                        partial_value<Op, T> mine) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int distance = 1; distance < Warp::size; distance *= 2) {
    const partial_value<Op, T> above = Warp::from_lane_above(mine, distance);
    if (Warp::rank() + distance < Warp::size) mine.append(op, above);
  }
  return mine;
}

/// The same of values that all lanes have.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Warp, typename Op, typename T>
[[nodiscard]] FETTLE_HOST_DEVICE T values_by_lanes(const Op& op, T mine) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int distance = 1; distance < Warp::size; distance *= 2) {
    const T above = Warp::from_lane_above(mine, distance);
    if (Warp::rank() + distance < Warp::size) mine = static_cast<T>(op(mine, above));
  }
  return mine;
}

/// store(i, carry op s[begin] op ... op s[i - 1]) for all i of [begin, end), op s[i] too where
/// Inclusive, a warp's width at a time; all elements of a width are read before its results are
/// stored.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Warp, bool Inclusive = false, typename Op, typename T, typename S,
          typename Store>
FETTLE_HOST_DEVICE void scan_by_lanes(const Op& op, const S& s, index_t begin, index_t end, T carry,
                                      Store store) {
  const int lane = Warp::rank();
  for (index_t base = begin; base < end; base += Warp::size) {
    const index_t i = base + lane;
    // Past the end any value does: nothing that is stored comes after it.
    T sum = i < end ? static_cast<T>(s[i]) : carry;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int distance = 1; distance < Warp::size; distance *= 2) {
      const T below = Warp::from_lane_below(sum, distance);
      if (lane >= distance) sum = static_cast<T>(op(below, sum));
    }
    if constexpr (Inclusive) {
      if (i < end) store(i, static_cast<T>(op(carry, sum)));
    } else {
      const T before = Warp::from_lane_below(sum, 1);
      if (i < end) store(i, lane == 0 ? carry : static_cast<T>(op(carry, before)));
    }
    carry = static_cast<T>(op(carry, Warp::from_lane(sum, Warp::size - 1)));
  }
}

}  // namespace fettle::ndp::cuda::detail
