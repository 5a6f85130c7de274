// one_pass: a map whose values are kept and a reduction of them (shape/one_pass.hpp), in one
// kernel.
//
// A thread computes an element of the map, writes it, and appends what the reduction makes of it to
// its own sum. Of a map over rows, the lanes of a warp share long ones, as where nothing is known
// of rows (rows/unknown_rows.cuh). The block that is done last combines the blocks' sums, in order:
// the result depends on the number of blocks, not on timing.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/row_distance.cuh>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/rows/unknown_rows.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/resident_blocks.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/cooperative_reduce.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Values, or reductions of rows by operators that combine parts of a row.
template <typename M>
inline constexpr bool maps_in_one_pass_v = [] {
  if constexpr (ndp::detail::has_epilogue_v<M>) {
    using reductions =
        std::remove_cvref_t<decltype(ndp::detail::reductions_of(std::declval<const M&>()))>;
    return is_combinable_v<element_of_t<reductions>>;
  } else if constexpr (map_of_reductions<M>) {
    return is_combinable_v<element_of_t<M>>;
  } else {
    return elements_node<M>;
  }
}();

template <typename Policy, typename M, typename R, typename Kept, typename Total>
__global__ __launch_bounds__(threads_v<Policy>) void one_pass_kernel(
    const __grid_constant__ M map, const __grid_constant__ R reduction,
    const __grid_constant__ Kept kept, const __grid_constant__ Total total,
    partial_value<decltype(R::op), typename R::value_type>* in_workspace, arrivals counter) {
  using T = typename R::value_type;
  using warp = warp_resource<32>;
  const index_t count = map.size();
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  auto mine = partial_value<decltype(R::op), T>::none();
  index_t first = index_t{blockIdx.x} * threads_v<Policy> + warp::index_in_block() * warp::size;
  for (; first < count; first += stride) {
    const index_t own = first + warp::rank();
    if constexpr (map_of_reductions<M>) {
      constexpr bool in_order = read_in_order<decltype(M::value_type::source)>;
      realise_rows_of_warp<Policy, in_order, true>(map, kept, first, count);
    } else if (own < count) {
      realise_element<Policy, 0>(map, kept, own);
    }
    if (own < count) mine.append(reduction.op, static_cast<T>(reduction.source[own]));
  }
  combine_blocks<Policy>(reduction, whole_block_t<Policy>::combine(reduction.op, mine), total,
                         in_workspace, counter);
}

/// `e`, by the type that it has, not by the alias that made it, which nvcc cannot write among the
/// types of a kernel where names of a program are in it.
template <typename F, typename... S>
[[nodiscard]] const transformed_sequence<F, S...>& by_own_type(
    const transformed_sequence<F, S...>& e) {
  return e;
}

/// kept[i] = map[i], and the reduction's value into total[0].
template <typename M, typename R, typename Kept, typename Total>
void run_one_pass(const platform::cuda& on, const computation& named, const M& map,
                  const R& reduction, const Kept& kept, const Total& total) {
  if constexpr (ndp::detail::has_epilogue_v<M>) {
    run_one_pass(on, named, by_own_type(ndp::detail::reductions_of(map)), reduction,
                 ndp::detail::through_epilogue(map, kept), total);
  } else {
    constexpr int staged = [] {
      if constexpr (map_of_reductions<M>) {
        return staged_loads_of_row_v<element_of_t<M>>;
      } else {
        return 0;
      }
    }();
    using policy = policy_of_threads<256, staged>;
    using partial = partial_value<decltype(R::op), typename R::value_type>;
    constexpr auto kernel = one_pass_kernel<policy, M, R, Kept, Total>;
    const index_t wanted = ceiling_quotient(map.size(), index_t{threads_v<policy>});
    const index_t most = index_t{current_device_facts(named).multiprocessors} *
                         resident_blocks<kernel, threads_v<policy>>(named);
    const auto blocks = static_cast<int>(wanted < 1 ? 1 : wanted < most ? wanted : most);
    const arrival_counter counter(on, named);
    const workspace<partial> parts(on, named, counter.has_room<partial>(blocks) ? 0 : blocks);
    launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), block_of<policy>(), 0, kernel,
           map, reduction, kept, total, parts.data(), counter.get());
  }
}

/// Elements of a row, on average and of the longest one, up to which a thread takes a row. For
/// longer ones, several lanes a row and a separate kernel for the reduction are faster.
inline constexpr index_t mean_row_in_one_pass = 16;
inline constexpr index_t longest_row_in_one_pass = 64;

/// Whether the default rule takes one pass: a kernel less, as long as rows are known to be short.
template <typename M>
[[nodiscard]] bool prefers_one_pass(const M& map) {
  if constexpr (map_of_reductions<M>) {
    if constexpr (has_outer_shape_v<M>) {
      const auto& shape = outer_shape(map);
      if constexpr (requires { atoms_bound(shape); }) {
        const index_t longest = statistics_of_rows(shape).longest;
        return longest >= 0 && longest <= longest_row_in_one_pass &&
               atoms_bound(shape) <= mean_row_in_one_pass * map.size();
      }
    }
    return false;
  } else {
    return true;
  }
}

}  // namespace fettle::ndp::cuda::detail
