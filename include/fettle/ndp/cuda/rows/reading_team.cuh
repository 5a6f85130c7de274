// reading_team: the members of a team that read a row's elements each time a row program needs
// them, and how members pass values to each other.
//
// A team reads whole rows of any length. One that keeps rows in registers (kept_row.cuh) walks
// those that are too long for it.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename T>
inline constexpr bool fits_registers_v =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16;

/// Rank 0's value, for all members of Resource.
template <typename Resource, typename T>
[[nodiscard]] __device__ T shared_by_all(const T& value) {
  if constexpr (Resource::size == 1) {
    return value;
  } else if constexpr (Resource::size <= 32) {
    return Resource::from_lane(value, 0);
  } else {
    __shared__ alignas(T) unsigned char room[sizeof(T)];
    if (Resource::rank() == 0) memcpy(room, &value, sizeof(T));
    Resource::wait();
    T all = value;
    memcpy(&all, room, sizeof(T));
    Resource::wait();  // the room may be used again
    return all;
  }
}

/// The values of the first `size` members of Resource (a warp or less) combined, for all members.
/// Members exchange values (a butterfly), so that the result need not be broadcast. The operator
/// must commute.
template <typename Resource, typename Op, typename T>
[[nodiscard]] __device__ T combined_for_all(const Op& op, T mine, index_t size) {
  if constexpr (Resource::size > 1) {
    const int rank = Resource::rank();
    const int members = size < Resource::size ? static_cast<int>(size) : Resource::size;
#pragma unroll
    for (int distance = 1; distance < Resource::size; distance *= 2) {
      const T other = Resource::from_lane_across(mine, distance);
      if constexpr (uses_identity_v<Op, T>) {
        mine = static_cast<T>(op(mine, other));
      } else {
        const int first = rank & ~(distance - 1);  // of those whose values this one has
        if ((first ^ distance) < members) {
          mine = first < members ? static_cast<T>(op(mine, other)) : other;
        }
      }
    }
  }
  return mine;
}

/// A team of Resource's members that read the row each time.
template <typename Resource>
struct reading_team {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE auto reduce(const Op& op, const S& source,
                                                      const P& seed) {
    using namespace ndp::detail;
    using reduction = reduced<Op, without_teams_t<S>, P>;
    const reduction all{op, unbound(source), seed};
#ifdef __CUDA_ARCH__
    if constexpr (is_combinable_v<reduction>) {
      using T = typename reduction::value_type;
      auto value = partial_value<Op, T>::of(static_cast<T>(seed));
      value.append(op, fold<Resource, true, Op, T>(op, all.source, 0, all.source.size()));
      return shared_by_all<Resource>(value.value);
    }
#endif
    return all.evaluate();
  }
};

/// A thread that has a window to itself. Loops that compilers can count are written out: then an
/// element that several reductions read is loaded once.
struct window_team {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE auto reduce(const Op& op, const S& source,
                                                      const P& seed) {
    using namespace ndp::detail;
    using reduction = reduced<Op, without_teams_t<S>, P>;
    const reduction all{op, unbound(source), seed};
#ifdef __CUDA_ARCH__
    using T = typename reduction::value_type;
    auto value = static_cast<T>(seed);
    const index_t size = all.source.size();
#pragma unroll
    for (index_t i = 0; i < size; ++i) value = static_cast<T>(op(value, all.source[i]));
    return value;
#else
    return all.evaluate();
#endif
  }
};

/// Elements of a long row that a member reads before it combines or stores the first: its loads
/// overlap. (By loops that the compiler unrolls, a warp took two to four times as long for rows of
/// 300,000.) The loops are not unrolled further: that takes registers.
inline constexpr int walked_together = 4;

/// The same for rows that are too long to keep, in a kernel that keeps rows in registers. Its loops
/// use few registers: otherwise the compiler spills kept elements (92 bytes in a softmax).
template <typename Resource>
struct walking_team {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE auto reduce(const Op& op, const S& source,
                                                      const P& seed) {
    using namespace ndp::detail;
    using reduction = reduced<Op, without_teams_t<S>, P>;
#ifdef __CUDA_ARCH__
    if constexpr (is_commutative_v<Op> && is_combinable_v<reduction>) {
      using T = typename reduction::value_type;
      const without_teams_t<S> all = unbound(source);
      auto mine = partial_value<Op, T>::none();
      const index_t size = all.size();
      index_t i = Resource::rank();
#pragma unroll 1
      for (; i + (walked_together - 1) * Resource::size < size;
           i += walked_together * Resource::size) {
        T values[std::size_t{walked_together}];
#pragma unroll
        for (int k = 0; k < walked_together; ++k) {
          values[k] = static_cast<T>(all[i + k * Resource::size]);
        }
#pragma unroll
        for (int k = 0; k < walked_together; ++k) mine.append(op, values[k]);
      }
#pragma unroll 1
      for (; i < size; i += Resource::size) mine.append(op, static_cast<T>(all[i]));
      auto value = partial_value<Op, T>::of(static_cast<T>(seed));
      value.append(op, Resource::combine(op, mine));
      return shared_by_all<Resource>(value.value);
    }
#endif
    return reading_team<Resource>::reduce(op, source, seed);
  }
};

/// Stores the elements of a map into its destination, with few registers too.
template <typename Resource, typename S, typename D>
__device__ void walk(const S& s, const D& destination) {
  using value_type = std::remove_cvref_t<decltype(s[0])>;
  const index_t size = s.size();
  index_t i = Resource::rank();
  if constexpr (fits_registers_v<value_type>) {
#pragma unroll 1
    for (; i + (walked_together - 1) * Resource::size < size;
         i += walked_together * Resource::size) {
      value_type values[std::size_t{walked_together}];
#pragma unroll
      for (int k = 0; k < walked_together; ++k) values[k] = s[i + k * Resource::size];
#pragma unroll
      for (int k = 0; k < walked_together; ++k) {
        store(destination[i + k * Resource::size], values[k]);
      }
    }
  }
#pragma unroll 1
  for (; i < size; i += Resource::size) store(destination[i], s[i]);
}

}  // namespace fettle::ndp::cuda::detail
