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
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
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

/// The place of the k-th bit that is set, of more than k.
[[nodiscard]] __device__ inline int place_of_set_bit(unsigned bits, int k) {
  if (bits == 0xFFFFFFFFU) return k;
  int place = 0;
#pragma unroll
  for (int width = 16; width > 0; width /= 2) {
    const int below = __popc(bits >> place & ((1U << width) - 1U));
    if (k >= below) {
      k -= below;
      place += width;
    }
  }
  return place;
}

/// Whether a row is a packet of N for each of `lanes` lanes at most, and nothing else.
template <int N, typename S>
[[nodiscard]] __device__ bool is_few_packets(const S& s, int lanes) {
  const index_t size = s.size();
  const int lead = packet_lead<N>(s);
  return size > 0 && size <= index_t{N} * lanes && size % N == 0 && (lead == 0 || lead == any_lead);
}

/// Rows i and j, which may be the same, by the lanes of a logical warp; the loads of both at once
/// where a packet for each lane is all of a row.
template <typename Lanes, bool ByPackets, typename E, typename D>
__device__ void reduce_two_rows(const E& e, const D& destination, index_t i, index_t j) {
  using row = typename E::value_type;
  using partial = partial_value<decltype(row::op), typename row::value_type>;
  constexpr int n = packet_size_v<decltype(row::source)>;
  const auto finish = [&](const row& its, index_t at, const partial& sum) {
    auto value = partial::of(static_cast<typename row::value_type>(its.seed));
    value.append(its.op, Lanes::combine(its.op, sum));
    if (Lanes::rank() == 0) store(destination[at], value.value);
  };
  const row one = e[i];
  const row other = e[j];
  if constexpr (ByPackets && n > 1 && is_commutative_v<decltype(row::op)>) {
    if (is_few_packets<n>(one.source, Lanes::size) &&
        is_few_packets<n>(other.source, Lanes::size)) {
      using T = typename row::value_type;
      const index_t own = index_t{Lanes::rank()} * n;
      const bool has_one = own < one.source.size();
      const bool has_other = own < other.source.size();
      const auto of_one = read_packet<n>(one.source, has_one ? own : 0);
      const auto of_other = read_packet<n>(other.source, has_other ? own : 0);
      const T sum_one = fold_packet<0, n, T, n>(one.op, of_one);
      const T sum_other = fold_packet<0, n, T, n>(other.op, of_other);
      finish(one, i, has_one ? partial::of(sum_one) : partial::none());
      if (i != j) finish(other, j, has_other ? partial::of(sum_other) : partial::none());
      return;
    }
  }
  const auto value = reduced_by<Lanes, ByPackets>(one);
  if (Lanes::rank() == 0) store(destination[i], value);
  if (i == j) return;
  const auto second = reduced_by<Lanes, ByPackets>(other);
  if (Lanes::rank() == 0) store(destination[j], second);
}

/// The rows of a warp whose bits are set, one for each `Lanes` of its lanes at a time, or two of
/// few lanes. Bit k is for row first + k / Apart. FewRegisters: for a kernel that keeps more than
/// the rows, one at a time, and eight lanes read no packets.
template <int Lanes, int Apart = 1, bool FewRegisters = false, typename E, typename D>
__device__ void reduce_by_lanes(const E& e, const D& destination, index_t first, unsigned rows) {
  using lanes = warp_resource<Lanes>;
  constexpr int at_once = warp_resource<32>::size / Lanes;
  using elements = decltype(E::value_type::source);
  constexpr bool by_packets = Lanes != 8 || (!FewRegisters && packet_size_v<elements> >= 4);
  const int count = __popc(rows);
  if constexpr (Lanes <= 4 && !FewRegisters) {
    for (int k = lanes::index_in_block() % at_once; k < count; k += 2 * at_once) {
      const int next = k + at_once < count ? k + at_once : k;
      reduce_two_rows<lanes, by_packets>(e, destination, first + place_of_set_bit(rows, k) / Apart,
                                         first + place_of_set_bit(rows, next) / Apart);
    }
  } else {
    for (int k = lanes::index_in_block() % at_once; k < count; k += at_once) {
      const index_t i = first + place_of_set_bit(rows, k) / Apart;
      const auto value = reduced_by<lanes, by_packets>(e[i]);
      if (lanes::rank() == 0) store(destination[i], value);
    }
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
/// that half the threads that walk rows have room: skewed rows of structures took 860 us instead of
/// 370. Lanes that read packets, or what a function reads, need some more, or they spill. Blocks of
/// wide values are small, and need theirs.
template <typename Policy, typename S, bool InOrder>
inline constexpr int blocks_of_unknown_rows_v = [] {
  constexpr bool needs_more = InOrder && (packet_size_v<S> >= 4 || indexes_views_v<S>);
  constexpr int threads = needs_more ? 1280 : 1536;
  return threads_v<Policy> >= 256 ? threads / threads_v<Policy> : 1;
}();

/// Rows first, first + 1, ... of the calling warp, one for each of its lanes, as far as there are
/// `count`.
template <typename Policy, bool InOrder, bool FewRegisters = false, typename E, typename D>
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
  if constexpr (InOrder) reduce_by_lanes<8, 1, FewRegisters>(e, destination, first, by_eight);
  if constexpr (has_packets) reduce_by_lanes<4, 1, FewRegisters>(e, destination, first, by_four);
  warp::wait();
}

template <typename Policy, bool InOrder, typename E, typename D>
__global__ __launch_bounds__(
    threads_v<Policy>,
    (blocks_of_unknown_rows_v<Policy, decltype(E::value_type::source),
                              InOrder>)) void unknown_rows_kernel(const __grid_constant__ E e,
                                                                  const __grid_constant__ D
                                                                      destination,
                                                                  index_t count) {
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
    const auto value =
        reduced_by<eight, (packet_size_v<decltype(E::value_type::source)> >= 4)>(row);
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
