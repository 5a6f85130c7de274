// Execution resources: a thread, a logical warp of 2 to 32 lanes, a block; and how the members of
// one combine their values.
//
// All resources have the same members, so that loops are written once for all of them:
//   size                 how many members it has
//   rank()               which of them the calling thread is
//   index_in_block()     which of the block's resources of this kind it belongs to; per_block: of
//                        how many
//   wait()               until all members are here, and see what the others have written
//   combine(op, mine)    all members' partial values in the order of their ranks; right at rank 0
//   combine_values(op, mine)   the same of values, which all members of several have
// combine() is called by all members together. Order is kept, so operators need not commute.
#pragma once

#include <cstring>
#include <cub/block/block_reduce.cuh>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/lanes.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

[[nodiscard]] __device__ inline int thread_in_block() {
  return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
}

// A value of any type that may be copied byte by byte, moved between lanes in words of 32 bits.
template <typename T, typename Move>
[[nodiscard]] __device__ T moved_by_words(const T& value, Move move) {
  static_assert(std::is_trivially_copyable_v<T>,
                "execute: values that threads hand to each other have to be trivially copyable; "
                "use schedule::sequential for this operator");
  constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
  unsigned word[words] = {};
  memcpy(word, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = move(word[i]);
  T out = value;
  memcpy(&out, word, sizeof(T));
  return out;
}

/// One thread, which has nothing to combine.
struct thread_resource {
  static constexpr int size = 1;

  [[nodiscard]] static __device__ int rank() { return 0; }
  [[nodiscard]] static __device__ int index_in_block() { return thread_in_block(); }
  static __device__ void wait() {}

  template <typename Op, typename T>
  [[nodiscard]] static __device__ partial_value<Op, T> combine(const Op& /*op*/,
                                                               const partial_value<Op, T>& mine) {
    return mine;
  }
};

/// `Lanes` neighbouring lanes of a hardware warp.
template <int Lanes>
struct warp_resource {
  static_assert(Lanes == 2 || Lanes == 4 || Lanes == 8 || Lanes == 16 || Lanes == 32,
                "cuda::policy: logical_warp_size must be 2, 4, 8, 16 or 32");
  static constexpr int size = Lanes;

  [[nodiscard]] static __device__ int rank() { return thread_in_block() % Lanes; }
  [[nodiscard]] static __device__ int index_in_block() { return thread_in_block() / Lanes; }
  /// The lanes of this logical warp only: others may be in another iteration.
  [[nodiscard]] static __device__ unsigned mask() {
    if constexpr (Lanes == 32) return 0xFFFFFFFFU;
    const int first = thread_in_block() % 32 / Lanes * Lanes;
    return ((1U << (Lanes % 32)) - 1U) << first;
  }

  static __device__ void wait() { __syncwarp(mask()); }

  template <typename T>
  [[nodiscard]] static __device__ T from_lane_above(const T& value, int distance) {
    const unsigned lanes = mask();
    return moved_by_words(value, [&](unsigned word) {
      return __shfl_down_sync(lanes, word, static_cast<unsigned>(distance), Lanes);
    });
  }
  template <typename T>
  [[nodiscard]] static __device__ T from_lane_below(const T& value, int distance) {
    const unsigned lanes = mask();
    return moved_by_words(value, [&](unsigned word) {
      return __shfl_up_sync(lanes, word, static_cast<unsigned>(distance), Lanes);
    });
  }
  template <typename T>
  [[nodiscard]] static __device__ T from_lane_across(const T& value, int distance) {
    const unsigned lanes = mask();
    return moved_by_words(
        value, [&](unsigned word) { return __shfl_xor_sync(lanes, word, distance, Lanes); });
  }
  template <typename T>
  [[nodiscard]] static __device__ T from_lane(const T& value, int lane) {
    const unsigned lanes = mask();
    return moved_by_words(value,
                          [&](unsigned word) { return __shfl_sync(lanes, word, lane, Lanes); });
  }

  template <typename Op, typename T>
  [[nodiscard]] static __device__ partial_value<Op, T> combine(const Op& op,
                                                               const partial_value<Op, T>& mine) {
    return combined_by_lanes<warp_resource>(op, mine);
  }
  template <typename Op, typename T>
  [[nodiscard]] static __device__ T combine_values(const Op& op, const T& mine) {
    return values_by_lanes<warp_resource>(op, mine);
  }
};

// CUB's name of an algorithm. The one for commutative operators only is for those only.
template <block_reduce_algorithm Algorithm, typename Op>
inline constexpr cub::BlockReduceAlgorithm cub_reduce_algorithm_v =
    Algorithm == block_reduce_algorithm::warp_reductions ? cub::BLOCK_REDUCE_WARP_REDUCTIONS
    : Algorithm == block_reduce_algorithm::raking_commutative_only && is_commutative_v<Op>
        ? cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY
        : cub::BLOCK_REDUCE_RAKING;

template <typename Op, typename T>
struct join_partials {
  const Op& op;
  __device__ partial_value<Op, T> operator()(const partial_value<Op, T>& left,
                                             const partial_value<Op, T>& right) const {
    return joined(op, left, right);
  }
};

/// All threads of a block of X times Y.
template <int X, int Y, block_reduce_algorithm Algorithm = block_reduce_algorithm::warp_reductions>
struct block_resource {
  static constexpr int size = X * Y;

  [[nodiscard]] static __device__ int rank() { return thread_in_block(); }
  [[nodiscard]] static __device__ int index_in_block() { return 0; }
  static __device__ void wait() { __syncthreads(); }

  template <typename Op, typename T>
  [[nodiscard]] static __device__ partial_value<Op, T> combine(const Op& op,
                                                               const partial_value<Op, T>& mine) {
    using reduction =
        cub::BlockReduce<partial_value<Op, T>, X, cub_reduce_algorithm_v<Algorithm, Op>, Y>;
    __shared__ typename reduction::TempStorage storage;
    const auto all = reduction(storage).Reduce(mine, join_partials<Op, T>{op});
    __syncthreads();  // the storage may be used again
    return all;
  }
  template <typename Op, typename T>
  [[nodiscard]] static __device__ T combine_values(const Op& op, const T& mine) {
    return combine(op, partial_value<Op, T>::of(mine)).value;
  }
};

template <typename Resource, typename Policy>
inline constexpr int resources_per_block_v =
    Policy::value.block_size_x * Policy::value.block_size_y / Resource::size;

/// Who performs one instance of the level at `Depth` (from 0) of a computation.
template <typename Policy, int Depth, execution_resource Automatic>
[[nodiscard]] consteval auto resource_of_level() {
  constexpr policy p = Policy::value;
  constexpr execution_resource given = p.level[Depth].resource;
  constexpr execution_resource chosen = given == execution_resource::automatic ? Automatic : given;
  if constexpr (chosen == execution_resource::block) {
    return block_resource<p.block_size_x, p.block_size_y, p.level[Depth].block_reduce_algo>{};
  } else if constexpr (chosen == execution_resource::warp) {
    return warp_resource<p.logical_warp_size>{};
  } else {
    return thread_resource{};
  }
}

}  // namespace fettle::ndp::cuda::detail
