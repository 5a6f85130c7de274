// fold_rounds: a long range by the lanes of warps, in order.
//
// Lanes that each took a long part would read far apart, and what a lane reads would leave the
// cache before its neighbours in memory are read. So lanes take a few neighbouring elements each
// and combine, round by round: what a warp reads at a time lies together. On an H200, 2000 rows of
// 8000 boxes took a block each 238 us by long parts and 72 by rounds. Needs no CUDA: the tests
// emulate the lanes.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether reductions to T gain by rounds: operators that do not commute, and values that lanes
/// pass to each other again and again in little time.
template <typename Op, typename T>
inline constexpr bool gains_by_rounds_v = !is_commutative_v<Op> && sizeof(T) <= 32;

/// The elements of [begin, end), combined in order by the lanes of a warp; right at rank 0.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Warp, typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> fold_rounds(const Op& op, const S& s,
                                                                  index_t begin, index_t end) {
  constexpr int n = packet_size_v<S>;
  if constexpr (n > 1 && !has_costly_elements_v<S>) {
    const packet_cut cut = cut_to_packets(begin, end, packet_lead<n>(s), n);
    if (cut.packets >= Warp::size) {
      const int rank = Warp::rank();
      auto all = partial_value<Op, T>::none();
      constexpr int each = n * sizeof(T) > 64 ? 2 : 4;  // packets of a lane
      for (index_t first = 0; first < cut.packets; first += each * Warp::size) {
        const index_t own = first + rank * each;
        const index_t left = cut.packets - own;
        const bool is_last_round = first + each * Warp::size >= cut.packets;
        auto mine = partial_value<Op, T>::none();
        if (first == 0 && rank == 0) mine = partial_of<Op, T>(op, s, begin, cut.first, 1);
        append_packets<Op, T, n, each>(op, s, cut.first + own * n, left < each ? left : each, 0, 1,
                                       mine);
        if (is_last_round && rank == Warp::size - 1) {
          mine.append(op, partial_of<Op, T>(op, s, cut.after, end, 1));
        }
        all.append(op, Warp::combine(op, mine));
      }
      return all;
    }
  }
  return fold_neighbours<Warp, Op, T>(op, s, begin, end, items_of_lane_v<S, 96>);
}

/// The part of warp number `warp` of `warps` of [begin, end), for the warp's rank 0; nothing for
/// its other lanes.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Warp, typename Op, typename T, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE partial_value<Op, T> fold_part_of_warp(const Op& op, const S& s,
                                                                        index_t begin, index_t end,
                                                                        int warp, int warps) {
  const index_t part = ceiling_quotient(end - begin, index_t{warps});
  const index_t first = begin + warp * part < end ? begin + warp * part : end;
  const index_t last = first + part < end ? first + part : end;
  const auto sum = fold_rounds<Warp, Op, T>(op, s, first, last);
  return Warp::rank() == 0 ? sum : partial_value<Op, T>::none();
}

}  // namespace fettle::ndp::cuda::detail
