// lanes_a_row: map > reduce over contiguous rows, the same few lanes for each row. Rows that turn
// out to be far longer than the others are left to the kernel that follows (long_rows.cuh).
//
// The number of lanes is a constant: loops over lanes that only the running kernel knew took 1.1 to
// 2 times as long for rows of up to 50 atoms. What long rows need is in another kernel: a call of
// it from here took registers, and 1.2 to 1.4 times as long. Nor do blocks allow that kernel to
// start: a hundred thousand blocks that did so took 212 us instead of 134.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/long_rows.cuh>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <int Lanes>
struct resource_of_lanes {
  using type = warp_resource<Lanes>;
};
template <>
struct resource_of_lanes<1> {
  using type = thread_resource;
};

/// Rows of up to `longest` atoms by `Lanes` lanes each.
template <typename Policy, int Lanes, typename E, typename D, typename Partial>
__global__ __launch_bounds__(threads_v<Policy>) void lanes_a_row_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    index_t longest, const __grid_constant__ long_row_list<Partial> list) {
  using resource = typename resource_of_lanes<Lanes>::type;
  const index_t i = index_t{blockIdx.x} * (threads_v<Policy> / Lanes) + resource::index_in_block();
  if (i >= rows) return;
  const auto row = e[i];  // once: after an entry in the list its bounds would be loaded again
  const index_t size = row.source.size();
  if (size > longest) {
    bool is_left = false;
    if (resource::rank() == 0) is_left = list.add(e, i, size);
    if constexpr (Lanes > 1) is_left = resource::from_lane(is_left ? 1 : 0, 0) != 0;
    if (is_left) return;
  }
  if constexpr (Lanes == 1) {
    store(destination[i], serial_value<level_v<Policy, 1>.unroll>(row));
  } else {
    const auto value = reduced_by<resource, (Lanes >= 32)>(row);
    if (resource::rank() == 0) store(destination[i], value);
  }
}

/// The policy of so many lanes a row.
template <int Lanes, typename Row>
struct policy_of_lanes {
  using type = plain_policy;
};
template <typename Row>
struct policy_of_lanes<1, Row> {
  using type = policy_of_threads<thread_a_row_v<Row>, staged_loads_v<decltype(Row::source)>>;
};
template <typename Row>
struct policy_of_lanes<32, Row> {
  using type = policy_of_threads<warp_a_row_v<Row>>;
};

template <int Lanes, typename E, typename D, typename Partial>
void run_lanes_a_row(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination, index_t longest, const long_row_list<Partial>& list) {
  using policy = typename policy_of_lanes<Lanes, typename E::value_type>::type;
  const index_t rows = e.size();
  const index_t blocks = ceiling_quotient(rows, index_t{threads_v<policy> / Lanes});
  launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), block_of<policy>(), 0,
         lanes_a_row_kernel<policy, Lanes, E, D, Partial>, e, destination, rows, longest, list);
}

/// `lanes` lanes a row: 1, 2, 4, 8, 16 or 32; of costly elements, no 8 and no 16.
template <typename E, typename D, typename Partial>
void run_lanes_a_row(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination, int lanes, index_t longest,
                     const long_row_list<Partial>& list) {
  const auto run = [&]<int Lanes>() {
    run_lanes_a_row<Lanes>(on, named, e, destination, longest, list);
  };
  constexpr bool costly = has_costly_elements_v<decltype(E::value_type::source)>;
  if (lanes == 1) return run.template operator()<1>();
  if (lanes == 2) return run.template operator()<2>();
  if (lanes == 4) return run.template operator()<4>();
  if constexpr (!costly) {
    if (lanes == 8) return run.template operator()<8>();
    if (lanes == 16) return run.template operator()<16>();
  }
  run.template operator()<32>();
}

}  // namespace fettle::ndp::cuda::detail
