// lane_group: some neighbouring lanes of a warp, how many being known only when the kernel runs;
// and how they reduce a row together.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

struct lane_group {
  int lanes;  // a power of two, at most 32
  int rank;
  unsigned mask;

  [[nodiscard]] static __device__ lane_group of(int thread, int lanes) {
    const int first = thread % 32 / lanes * lanes;
    const unsigned all = lanes == 32 ? 0xFFFFFFFFU : (1U << lanes) - 1U;
    return {lanes, thread % lanes, all << first};
  }

  /// All lanes' values in the order of their ranks; right at rank 0.
  template <typename Op, typename T>
  [[nodiscard]] __device__ partial_value<Op, T> combine(const Op& op,
                                                        partial_value<Op, T> mine) const {
    for (int distance = 1; distance < lanes; distance *= 2) {
      const auto right = moved_by_words(mine, [&](unsigned word) {
        return __shfl_down_sync(mask, word, static_cast<unsigned>(distance), lanes);
      });
      mine = joined(op, mine, right);
    }
    return mine;
  }
};

/// A row's atoms by a group of lanes. Right at rank 0.
template <typename R>
[[nodiscard]] __device__ auto reduce_by_lanes(const R& r, index_t size, const lane_group& group) {
  using value_type = typename R::value_type;
  using operator_type = decltype(r.op);
  if constexpr (is_commutative_v<operator_type>) {
    if (group.lanes == 1) return partial_of<operator_type, value_type>(r.op, r.source, 0, size, 1);
    return group.combine(
        r.op, partial_of<operator_type, value_type>(r.op, r.source, group.rank, size, group.lanes));
  } else {
    const index_t length = (size + group.lanes - 1) >> (__ffs(group.lanes) - 1);
    const index_t begin = group.rank * length;
    const index_t end = begin + length < size ? begin + length : size;
    return group.combine(r.op,
                         partial_of<operator_type, value_type>(r.op, r.source, begin, end, 1));
  }
}

}  // namespace fettle::ndp::cuda::detail
