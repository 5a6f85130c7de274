// Packets: several neighbouring elements of a sequence in one access of up to 16 bytes.
//
// Where the leaves of a view are contiguous, its elements can be had N at a time: a sequence by one
// wide load, a map by applying its function to packets, a gather by a packet of indices. All leaves
// have to be aligned alike: `packet_lead` says at which index packets begin. Needs no CUDA.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What one access of a GPU reads or writes at most.
inline constexpr int packet_bytes = 16;

/// What so many bytes are aligned to, so that few instructions read them: 12 bytes by words.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr std::size_t packet_alignment(std::size_t bytes,
                                                                        std::size_t least) {
  const std::size_t divides = bytes & (~bytes + 1);
  const std::size_t most = divides < packet_bytes ? divides : packet_bytes;
  return most > least ? most : least;
}

/// N values that are read or written at once; aligned so that one instruction does it.
template <typename T, int N>
struct alignas(packet_alignment(static_cast<std::size_t>(N) * sizeof(T), alignof(T))) packet {
  T item[std::size_t{N}];
};

// The widest element among a view's contiguous leaves; 0: it has none.
template <typename S>
inline constexpr int leaf_bytes_v = 0;

template <typename T>
inline constexpr bool fits_packet_v =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 3 || sizeof(T) == 4 || sizeof(T) == 8);

constexpr int wider(int a, int b) { return a < b ? b : a; }

// A map's function is given values, not the elements themselves: it has to take them, and to give
// the same type for them.
template <typename F, typename... S>
concept takes_values =
    (!nested<S> && ...) && std::is_invocable_v<const F&, const typename S::value_type&...> &&
    std::is_same_v<std::invoke_result_t<const F&, const typename S::value_type&...>,
                   typename transformed_sequence<F, S...>::inner_type>;

template <typename T>
  requires fits_packet_v<std::remove_cv_t<T>>
inline constexpr int leaf_bytes_v<sequence<T>> = static_cast<int>(sizeof(T));
template <typename S>
inline constexpr int leaf_bytes_v<window<S>> = leaf_bytes_v<S>;
template <typename F, typename... S>
  requires takes_values<F, S...>
inline constexpr int leaf_bytes_v<transformed_sequence<F, S...>> = [] {
  int widest = 0;
  ((widest = wider(widest, leaf_bytes_v<S>)), ...);
  return widest;
}();
template <typename S, typename Indices>
inline constexpr int leaf_bytes_v<gathered_sequence<S, Indices>> = leaf_bytes_v<Indices>;

/// How many elements of so many bytes make a packet: a power of two.
[[nodiscard]] constexpr int items_of_packet(int element_bytes) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(packet_bytes / element_bytes)));
}

/// How many elements of S make a packet: 1 where S has no contiguous leaf.
template <typename S>
inline constexpr int packet_size_v =
    leaf_bytes_v<std::remove_cv_t<S>> == 0 ? 1 : items_of_packet(leaf_bytes_v<std::remove_cv_t<S>>);

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

/// How many elements of `element_bytes` lie between an address and the next one at which a packet
/// of N of them may begin.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr int lead_of_address(std::uintptr_t address,
                                                               std::size_t element_bytes,
                                                               int n) noexcept {
  const std::size_t alignment = packet_alignment(element_bytes * static_cast<std::size_t>(n), 1);
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

// read_packet<N>(s, i): s[i] ... s[i + N - 1] for an i at which a packet begins.
template <int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr packet<typename S::value_type, N> read_packet(const S& s,
                                                                                         index_t i);

template <int N, typename T>
struct reader {
  template <typename S, std::size_t... Ks>
  static FETTLE_HOST_DEVICE constexpr packet<T, N> each(const S& s, index_t i,
                                                        std::index_sequence<Ks...> /*items*/) {
    return {{static_cast<T>(s[i + static_cast<index_t>(Ks)])...}};
  }
};

template <int N, typename S>
struct packet_reader {
  using T = typename S::value_type;
  static FETTLE_HOST_DEVICE constexpr packet<T, N> read(const S& s, index_t i) {
    return reader<N, T>::each(s, i, std::make_index_sequence<std::size_t{N}>{});
  }
};

template <int N, typename T>
  requires fits_packet_v<std::remove_cv_t<T>>
struct packet_reader<N, sequence<T>> {
  using value = std::remove_cv_t<T>;
  static FETTLE_HOST_DEVICE packet<value, N> read(const sequence<T>& s, index_t i) {
    return *reinterpret_cast<const packet<value, N>*>(s.data() + i);
  }
};

template <int N, typename S>
struct packet_reader<N, window<S>> {
  static FETTLE_HOST_DEVICE constexpr auto read(const window<S>& s, index_t i) {
    return read_packet<N>(s.base(), s.first() + i);
  }
};

template <int N, typename S, typename Indices>
struct packet_reader<N, gathered_sequence<S, Indices>> {
  using T = typename S::value_type;
  template <std::size_t... Ks>
  static FETTLE_HOST_DEVICE constexpr packet<T, N> at(const S& source, const auto& indices,
                                                      std::index_sequence<Ks...> /*items*/) {
    return {{static_cast<T>(source[static_cast<index_t>(indices.item[Ks])])...}};
  }
  static FETTLE_HOST_DEVICE constexpr packet<T, N> read(const gathered_sequence<S, Indices>& s,
                                                        index_t i) {
    const auto indices = read_packet<N>(s.indices, i);
    if constexpr (checked) {
      for (int k = 0; k < N; ++k) {
        check_index("gather", static_cast<index_t>(indices.item[k]), s.source.size());
      }
    }
    return at(s.source, indices, std::make_index_sequence<std::size_t{N}>{});
  }
};

template <int N, typename F, typename... S>
  requires takes_values<F, S...>
struct packet_reader<N, transformed_sequence<F, S...>> {
  using T = typename transformed_sequence<F, S...>::value_type;

  template <std::size_t K, std::size_t... Is>
  static FETTLE_HOST_DEVICE constexpr T one(const F& function,
                                            const tuple<packet<typename S::value_type, N>...>& all,
                                            std::index_sequence<Is...> /*sources*/) {
    return static_cast<T>(function(get<Is>(all).item[K]...));
  }
  template <std::size_t... Ks>
  static FETTLE_HOST_DEVICE constexpr packet<T, N> each(
      const F& function, const tuple<packet<typename S::value_type, N>...>& all,
      std::index_sequence<Ks...> /*items*/) {
    return {{one<Ks>(function, all, std::index_sequence_for<S...>{})...}};
  }
  template <std::size_t... Is>
  static FETTLE_HOST_DEVICE constexpr packet<T, N> of(const transformed_sequence<F, S...>& s,
                                                      index_t i,
                                                      std::index_sequence<Is...> /*sources*/) {
    const auto all =
        tuple_of<packet<typename S::value_type, N>...>(read_packet<N>(get<Is>(s.sources), i)...);
    return each(s.function, all, std::make_index_sequence<std::size_t{N}>{});
  }
  static FETTLE_HOST_DEVICE constexpr packet<T, N> read(const transformed_sequence<F, S...>& s,
                                                        index_t i) {
    return of(s, i, std::index_sequence_for<S...>{});
  }
};

template <int N, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr packet<typename S::value_type, N> read_packet(
    const S& s, index_t i) {
  return packet_reader<N, S>::read(s, i);
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

}  // namespace fettle::ndp::cuda::detail
