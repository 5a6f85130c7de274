// fold: the reduction of a range of a sequence by the members of one execution resource.
//
// Where order does not matter, members take every size-th element (or packet), so that neighbours
// read neighbouring memory and each has several loads in flight. Where it does, members take runs
// of neighbouring elements, round by round, and the rounds are appended in order. Costly elements
// are taken one by one: several at once would only be more code, in more registers. Needs no CUDA:
// the tests emulate the members.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/block/wide_elements.hpp>
#include <fettle/ndp/operator/reduce.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Loads that one thread has in flight: about 64 bytes of values.
template <typename T>
inline constexpr int loads_in_flight_v = sizeof(T) >= 32   ? 2
                                         : sizeof(T) >= 16 ? 4
                                                           : 8;

// Pairs first, so that the additions of a packet do not depend on each other; in order.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <int First, int Count, typename T, int N, typename Op>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr T fold_packet(const Op& op, const auto& p) {
  if constexpr (Count == 1) {
    return static_cast<T>(p.item[First]);
  } else {
    return static_cast<T>(op(fold_packet<First, Count / 2, T, N>(op, p),
                             fold_packet<First + Count / 2, Count - Count / 2, T, N>(op, p)));
  }
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Op, typename T, int N, int Flight, typename S>
FETTLE_HOST_DEVICE void append_packets(const Op& op, const S& s, index_t at, index_t count,
                                       int rank, int size, partial_value<Op, T>& mine) {
  using element = packet<typename S::value_type, N>;
  index_t k = rank;
  const index_t step = size;
  for (; k + (Flight - 1) * step < count; k += Flight * step) {
    element in_flight[std::size_t{Flight}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Flight; ++i) in_flight[i] = read_packet<N>(s, at + (k + i * step) * N);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Flight; ++i) mine.append(op, fold_packet<0, N, T, N>(op, in_flight[i]));
  }
  if (k >= count) return;
  // The rest, all loads at once again.
  constexpr int most_left = Flight > 1 ? Flight - 1 : 1;
  element in_flight[std::size_t{most_left}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 0; i < most_left; ++i) {
    const index_t here = k + i * step < count ? k + i * step : k;
    in_flight[i] = read_packet<N>(s, at + here * N);
  }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 0; i < most_left; ++i) {
    if (k + i * step < count) mine.append(op, fold_packet<0, N, T, N>(op, in_flight[i]));
  }
}

/// Elements begin, begin + stride, ... below end, in order; several are read before the first is
/// appended.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Op, typename T, typename S>
FETTLE_HOST_DEVICE void append_elements(const Op& op, const S& s, index_t begin, index_t end,
                                        index_t stride, partial_value<Op, T>& mine) {
  for_each_staged<staged_loads_v<S>>(s, begin, end, stride,
                                     [&](const auto& x) { mine.append(op, static_cast<T>(x)); });
}

/// The same elements as a partial value. Only the first element has to test whether there is a
/// value already: with the test at each element, a warp a row of structures took a third longer.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> partial_of(const Op& op, const S& s,
                                                                 index_t begin, index_t end,
                                                                 index_t stride) {
  auto mine = partial_value<Op, T>::none();
  if constexpr (uses_identity_v<Op, T>) {
    append_elements(op, s, begin, end, stride, mine);
  } else if (begin < end) {
    for_each_staged<staged_loads_v<S>>(
        s, begin, end, stride, [&](const auto& x) { mine.value = static_cast<T>(x); },
        [&](const auto& x) { mine.value = static_cast<T>(op(mine.value, static_cast<T>(x))); });
    mine.there = true;
  }
  return mine;
}

/// How many packets of N elements one of `Size` members loads before it combines the first. Members
/// of a warp have long parts and load whole sectors of narrow elements: if a lane loaded half a
/// sector, loads of other lanes would evict the other half from the cache before it is needed.
template <int Size, typename S, typename T, int N>
inline constexpr int packets_in_flight_v = [] {
  constexpr int few = N * sizeof(T) > 64 ? 1 : 2;  // wide values fill the registers by themselves
  constexpr int bytes = N * bytes_read_v<S>.in_order;
  if (N > 4 || bytes > 2 * packet_bytes || Size > 32) return few;
  return N <= 2 && bytes <= 24 ? 4 : 2;
}();

/// The combined part of member `rank` of `Size`. Elements are cut into packets, of which each
/// member has one or more, in the order of the ranks. The first member also has the single elements
/// before the packets, the last one those behind them.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <int Size, typename Op, typename T, int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE T value_of_part(const Op& op, const S& s, index_t begin,
                                                 index_t end, const packet_cut& cut, int rank) {
  const bool is_first = rank == 0;
  auto singles = partial_value<Op, T>::none();
  if (is_first || rank == Size - 1) {
    singles = partial_of<Op, T>(op, s, is_first ? begin : cut.after, is_first ? cut.first : end, 1);
  }
  const int sector = packet_lead<2 * N>(s);
  const int odd = sector < 0 ? 0 : shifted_lead(sector, cut.first, 2 * N) / N;
  const index_t from = packets_begin<Size>(cut.packets, rank, odd);
  const index_t count = packets_begin<Size>(cut.packets, rank + 1, odd) - from;
  auto mine = partial_value<Op, T>::none();
  append_packets<Op, T, N, packets_in_flight_v<Size, S, T, N>>(op, s, cut.first + from * N, count,
                                                               0, 1, mine);
  return (is_first ? joined(op, singles, mine) : joined(op, mine, singles)).value;
}

/// Elements that a lane takes in order before lanes combine: so few that what neighbours read stays
/// in the cache while they do.
template <typename S, int Bytes>
inline constexpr index_t items_of_lane_v = [] {
  constexpr int bytes = leaf_bytes_v<S> > 0 ? leaf_bytes_v<S> : 16;
  constexpr int items = Bytes / bytes > 64 ? 64 : Bytes / bytes;
  return index_t{items > 0 ? items : 1};
}();

/// [begin, end) in order: members take up to `most_items` neighbouring elements each and combine,
/// round by round. Right at rank 0.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Resource, typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> fold_neighbours(const Op& op, const S& s,
                                                                      index_t begin, index_t end,
                                                                      index_t most_items) {
  const index_t run = ceiling_quotient(end - begin, index_t{Resource::size});
  const index_t items = run < most_items ? run : most_items;
  auto all = partial_value<Op, T>::none();
  for (index_t base = begin; base < end; base += items * Resource::size) {
    const index_t first = base + Resource::rank() * items;
    const index_t last = first + items < end ? first + items : end;
    all.append(op, Resource::combine(op, partial_of<Op, T>(op, s, first, last, 1)));
  }
  return all;
}

/// What fold() does once it is known how elements are read.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Resource, bool UsePackets, typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> fold_elements(const Op& op, const S& s,
                                                                    index_t begin, index_t end) {
  auto mine = partial_value<Op, T>::none();
  const int rank = Resource::rank();
  if constexpr (Resource::size == 1) {
    return partial_of<Op, T>(op, s, begin, end, 1);
  } else if constexpr (is_commutative_v<Op>) {
    constexpr bool several = UsePackets && !has_costly_elements_v<S>;
    constexpr int n = packet_size_v<S>;
    // A warp's rows are many and short: more rows at once are better than more of a row.
    constexpr bool whole_block = Resource::size > 32;
    if constexpr (several && n > 1) {
      constexpr int flight = whole_block ? 4 : 2;
      if (end - begin >= index_t{n} * Resource::size) {
        const packet_cut cut = cut_to_packets(begin, end, packet_lead<n>(s), n);
        if (cut.packets >= Resource::size) {
          append_packets<Op, T, n, flight>(op, s, cut.first, cut.packets, rank, Resource::size,
                                           mine);
          const index_t singles = cut.singles(begin, end);
          for (index_t k = rank; k < singles; k += Resource::size) {
            mine.append(op, static_cast<T>(s[cut.single(begin, k)]));
          }
          return Resource::combine(op, mine);
        }
      }
    }
    if constexpr (several && whole_block) {
      append_packets<Op, T, 1, loads_in_flight_v<T>>(op, s, begin, end - begin, rank,
                                                     Resource::size, mine);
    } else {
      mine = partial_of<Op, T>(op, s, begin + rank, end, Resource::size);
    }
    return Resource::combine(op, mine);
  } else {
    // To combine members costs more than many elements: a range that is not long once, by packets.
    // (Eight lanes beside others, some of which have packets and some have none, take longer.)
    constexpr int n = packet_size_v<S>;
    if constexpr (n > 1 && Resource::size >= 16 && !has_costly_elements_v<S>) {
      constexpr index_t most_items = n > 8 ? 128 : 64;
      constexpr int least_packets = Resource::size >= 32 ? 1 : 2;
      if (end - begin <= most_items * Resource::size) {
        const packet_cut cut = cut_to_packets(begin, end, packet_lead<n>(s), n);
        if (cut.packets >= least_packets * Resource::size) {
          return partial_value<Op, T>::of(Resource::combine_values(
              op, value_of_part<Resource::size, Op, T, n>(op, s, begin, end, cut, rank)));
        }
      }
    }
    constexpr int bytes_of_lane = Resource::size == 32 ? 96 : 128;
    constexpr index_t most_items = Resource::size > 32 ? 32 : items_of_lane_v<S, bytes_of_lane>;
    return fold_neighbours<Resource, Op, T>(op, s, begin, end, most_items);
  }
}

/// The elements of [begin, end), combined; right at rank 0. By all members of Resource.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Resource, bool UsePackets, typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> fold(const Op& op, const S& s, index_t begin,
                                                           index_t end) {
  return with_wide_elements(s, [&](const auto& its) {
    return fold_elements<Resource, UsePackets, Op, T>(op, its, begin, end);
  });
}

}  // namespace fettle::ndp::cuda::detail
