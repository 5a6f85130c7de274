// packet_lead: at which indices of a sequence packets begin, and a range cut into packets and the
// single elements around them.
//
// A packet is one access, which has to be aligned: packets begin at the indices that are the
// sequence's lead modulo their size. All leaves of a view have to be aligned alike, and what is
// read and what is written together, too. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What packet_lead says of sequences whose alignment does not matter, and of those that have none
/// in common.
inline constexpr int any_lead = -1;
inline constexpr int no_lead = -2;

/// The common lead of two sequences.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int common_lead(int a, int b) noexcept {
  if (a == any_lead) return b;
  if (b == any_lead || a == b) return a;
  return no_lead;
}

/// The lead of a window that begins at `first` of a sequence with lead `lead`.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int shifted_lead(int lead, index_t first,
                                                            int n) noexcept {
  if (lead < 0) return lead;
  return static_cast<int>(((lead - first) % n + n) % n);
}

/// Bytes that memory hands out together.
inline constexpr std::size_t sector_bytes = 32;

/// How many elements of `element_bytes` lie between an address and the next one at which a packet
/// of N of them may begin, or a sector that holds N of them.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int lead_of_address(std::uintptr_t address,
                                                               std::size_t element_bytes,
                                                               int n) noexcept {
  const std::size_t bytes = element_bytes * static_cast<std::size_t>(n);
  const std::size_t alignment =
      bytes > packet_bytes && bytes % sector_bytes == 0 ? sector_bytes : packet_alignment(bytes, 1);
  if ((element_bytes & (element_bytes - 1)) == 0) {
    const std::size_t beyond = address % alignment;
    if (beyond % element_bytes != 0) return no_lead;
    return beyond == 0 ? 0 : static_cast<int>((alignment - beyond) / element_bytes);
  }
  for (int lead = 0; lead < n; ++lead) {
    if ((address + static_cast<std::size_t>(lead) * element_bytes) % alignment == 0) return lead;
  }
  return no_lead;
}

// Packets of N of a sequence s begin at the indices that are packet_lead<N>(s) modulo N.
template <int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const S& /*s*/) {
  return any_lead;
}
template <int N, typename T>
  requires fits_packet_v<std::remove_cv_t<T>>
[[nodiscard]] FETTLE_HOST_DEVICE inline int packet_lead(const sequence<T>& s) {
  return lead_of_address(reinterpret_cast<std::uintptr_t>(s.data()), sizeof(T), N);
}
template <int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const window<S>& s);
template <int N, typename S, typename Indices>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const gathered_sequence<S, Indices>& s);
template <int N, typename F, typename... S>
  requires takes_values<F, S...>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const transformed_sequence<F, S...>& s);

template <int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const window<S>& s) {
  return shifted_lead(packet_lead<N>(s.base()), s.first(), N);
}
template <int N, typename S, typename Indices>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const gathered_sequence<S, Indices>& s) {
  return packet_lead<N>(s.indices);
}
template <int N, typename... S, std::size_t... Is>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int lead_of_all(const tuple<S...>& sources,
                                                           std::index_sequence<Is...> /*all*/) {
  int lead = any_lead;
  ((lead = common_lead(lead, packet_lead<N>(get<Is>(sources)))), ...);
  return lead;
}
template <int N, typename F, typename... S>
  requires takes_values<F, S...>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int packet_lead(const transformed_sequence<F, S...>& s) {
  return lead_of_all<N>(s.sources, std::index_sequence_for<S...>{});
}

/// [begin, end) cut into single elements, packets, and single elements again.
struct packet_cut {
  index_t first;    // where the first packet begins; `end` where there is none
  index_t packets;  // how many
  index_t after;    // where the last packet ends

  /// The k-th of the single elements of [begin, end).
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t single(index_t begin, index_t k) const {
    return begin + k < first ? begin + k : after + (k - (first - begin));
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t singles(index_t begin, index_t end) const {
    return (first - begin) + (end - after);
  }
};

[[nodiscard]] FETTLE_HOST_DEVICE constexpr packet_cut cut_to_packets(index_t begin, index_t end,
                                                                     int lead, int n) noexcept {
  if (lead == no_lead) return {end, 0, end};
  const index_t head = lead == any_lead ? 0 : shifted_lead(lead, begin, n);
  if (begin + head >= end) return {end, 0, end};
  const index_t first = begin + head;
  const index_t packets = (end - first) / n;
  return {first, packets, first + packets * n};
}

/// The first packet of member `rank` of `Size`; each member has at least one. Every other packet
/// begins a sector, the first one if `odd` is 0. Where a warp has many packets, members begin at
/// sectors.
template <int Size>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t packets_begin(index_t packets, int rank,
                                                                 int odd) noexcept {
  const index_t even = packets * rank / Size;
  if (Size > 32 || packets < 4 * Size || rank == 0 || rank == Size) return even;
  return (even + odd) / 2 * 2 - odd;
}

}  // namespace fettle::ndp::cuda::detail
