// unknown_rows: map > reduce over rows whose lengths only the GPU can tell, as those that a
// function makes of an index: a thread for each short row, four lanes for each longer one whose
// elements come in packets, eight for each long one, and a warp for each very long one. Fewer rows
// get eight lanes each from the beginning.
//
// Each warp looks first at the lengths of its rows and at where they begin. Threads that walk rows
// that begin far apart read far apart; lanes that share a row in the order of memory do not.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/row_distance.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements from which eight lanes share a row. On an H100, 67 million floats in rows of 32 take
/// 272 us with a thread each and 102 us with eight lanes each; in rows of 24, 115 and 111.
inline constexpr index_t least_of_shared_row = 32;
/// Bytes from which four lanes share a shorter row, a packet of 16 bytes each.
inline constexpr index_t least_bytes_of_packets = 64;
/// Elements from which a whole warp has a row, whether it is read in the order of memory or not: a
/// thread that walks it would hold up all others.
inline constexpr index_t least_of_warp_row = 1024;
/// Bytes between the beginnings of neighbouring rows from which threads that walk them read
/// different sectors.
inline constexpr long long far_apart = 32;

/// The rows of a warp whose bits are set, a row for each `Lanes` of its lanes at a time. Bit k is
/// for row first + k / Apart.
template <int Lanes, int Apart = 1, typename E, typename D>
__device__ void reduce_by_lanes(const E& e, const D& destination, index_t first, unsigned rows) {
  using lanes = warp_resource<Lanes>;
  constexpr int at_once = warp_resource<32>::size / Lanes;
  constexpr bool by_packets = Lanes == 4 || Lanes == 32;  // eight lanes were measured without
  const auto drop = [&rows](int count) {
    for (int k = 0; k < count; ++k) rows &= rows - 1;
  };
  drop(lanes::index_in_block() % at_once);
  for (; rows != 0; drop(at_once)) {
    const index_t i = first + (__ffs(static_cast<int>(rows)) - 1) / Apart;
    const auto value = reduced_by<lanes, by_packets>(e[i]);
    if (lanes::rank() == 0) store(destination[i], value);
  }
}

/// Elements of a row of `Row`s that its thread reads before it combines the first. A compiler has
/// several loads of a sum in flight by itself, unless they are gathered: 0.
template <typename Row>
inline constexpr int staged_loads_of_row_v =
    read_in_order<decltype(Row::source)> && std::is_arithmetic_v<typename Row::value_type> &&
            bytes_read_v<decltype(Row::source)>.gathered == 0
        ? 0
        : staged_loads_v<decltype(Row::source)>;

/// Blocks for which a multiprocessor has to have registers. The loops of lanes would take so many
/// that half the threads that walk rows have room: of 8 million windows of 31 numbers they take
/// 121 us instead of 106, of skewed rows of structures 860 instead of 370. Blocks of wide values
/// are small, and need theirs.
template <typename Policy>
inline constexpr int blocks_of_unknown_rows_v =
    threads_v<Policy> >= 256 ? 1536 / threads_v<Policy> : 1;

/// Rows first, first + 1, ... of the calling warp, one for each of its lanes, as far as there are
/// `count`.
template <typename Policy, bool InOrder, typename E, typename D>
__device__ void realise_rows_of_warp(const E& e, const D& destination, index_t first,
                                     index_t count) {
  using warp = warp_resource<32>;
  using elements = decltype(E::value_type::source);
  constexpr bool has_packets = InOrder && packet_size_v<elements> >= 4;
  const index_t own = first + warp::rank();
  const auto row = e[own < count ? own : count - 1];
  const index_t size = own < count ? row.source.size() : 0;
  const unsigned by_warp = __ballot_sync(warp::mask(), size >= least_of_warp_row);
  unsigned by_eight = 0;
  unsigned by_four = 0;
  if constexpr (InOrder) {
    by_eight = __ballot_sync(warp::mask(), size >= least_of_shared_row) & ~by_warp;
    if constexpr (has_packets) {
      constexpr index_t least = least_bytes_of_packets / leaf_bytes_v<elements>;
      by_four = __ballot_sync(warp::mask(), size >= least && size < least_of_shared_row);
    }
    if ((by_eight | by_four) != 0 &&
        !__any_sync(warp::mask(), bytes_to_next(row.source) >= far_apart)) {
      by_eight = by_four = 0;
    }
  }
  if (own < count && ((by_warp | by_eight | by_four) >> warp::rank() & 1U) == 0) {
    realise_element<Policy, 0>(e, destination, own);
  }
  if ((by_warp | by_eight | by_four) == 0) return;
  warp::wait();
  reduce_by_lanes<32>(e, destination, first, by_warp);
  if constexpr (InOrder) reduce_by_lanes<8>(e, destination, first, by_eight);
  if constexpr (has_packets) reduce_by_lanes<4>(e, destination, first, by_four);
  warp::wait();
}

template <typename Policy, bool InOrder, typename E, typename D>
__global__
__launch_bounds__(threads_v<Policy>, blocks_of_unknown_rows_v<Policy>) void unknown_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  using warp = warp_resource<32>;
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  index_t first = index_t{blockIdx.x} * threads_v<Policy> + warp::index_in_block() * warp::size;
  for (; first < count; first += stride) {
    realise_rows_of_warp<Policy, InOrder>(e, destination, first, count);
  }
}

/// Eight lanes a row, but a warp a very long one.
template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void eight_lanes_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  using warp = warp_resource<32>;
  using eight = warp_resource<8>;
  constexpr int at_once = warp::size / eight::size;
  constexpr index_t least = 2 * least_of_warp_row;
  const index_t first =
      (index_t{blockIdx.x} * (threads_v<Policy> / warp::size) + warp::index_in_block()) * at_once;
  if (first >= count) return;
  const int own = warp::rank() / eight::size;
  const bool is_row = first + own < count;
  const auto row = e[is_row ? first + own : first];
  const bool is_long = row.source.size() >= least;
  if (is_row && !is_long) {
    const auto value = reduced_by<eight, false>(row);
    if (eight::rank() == 0) store(destination[first + own], value);
  }
  const bool leads_long = is_row && is_long && eight::rank() == 0;
  reduce_by_lanes<32, eight::size>(e, destination, first, __ballot_sync(warp::mask(), leads_long));
}

template <typename Policy, typename E, typename D>
void run_eight_lanes(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  constexpr index_t rows_of_block = threads_v<Policy> / 8;
  const index_t count = e.size();
  launch(named, on.stream, dim3(blocks_for(count, rows_of_block)), block_of<Policy>(), 0,
         eight_lanes_kernel<Policy, E, D>, e, destination, count);
}

/// InOrder: rows lie in the order of memory.
template <typename Policy, bool InOrder, typename E, typename D>
void run_unknown_rows(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination) {
  const index_t count = e.size();
  launch(named, on.stream, dim3(blocks_for(count, threads_v<Policy>)), block_of<Policy>(), 0,
         unknown_rows_kernel<Policy, InOrder, E, D>, e, destination, count);
}

}  // namespace fettle::ndp::cuda::detail
