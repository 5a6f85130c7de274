// Packets: several neighbouring elements of a sequence in one access of up to 16 bytes.
//
// Where the leaves of a view are contiguous, its elements can be had N at a time: a sequence by one
// wide load, a map by applying its function to packets, a gather by a packet of indices. At which
// indices packets begin is packet_lead.hpp's. Needs no CUDA.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// N elements of one or two bytes, taken out of words of four: a compiler that is given the
/// elements takes words apart by halves, in three instructions each instead of one.
template <int N, typename T>
[[nodiscard]] FETTLE_HOST_DEVICE packet<T, N> taken_from_words(
    const packet<std::uint32_t, N* static_cast<int>(sizeof(T)) / 4>& words) {
  using bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  constexpr int in_word = 4 / static_cast<int>(sizeof(T));
  packet<T, N> out;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 0; k < N; ++k) {
    const auto one = static_cast<bits>(words.item[k / in_word] >> (32 / in_word * (k % in_word)));
    memcpy(&out.item[k], &one, sizeof(T));
  }
  return out;
}

template <int N, typename T>
  requires fits_packet_v<std::remove_cv_t<T>>
struct packet_reader<N, sequence<T>> {
  using value = std::remove_cv_t<T>;
  static constexpr int bytes = N * static_cast<int>(sizeof(T));
  static FETTLE_HOST_DEVICE packet<value, N> read(const sequence<T>& s, index_t i) {
    if constexpr (sizeof(T) <= 2 && bytes % 4 == 0) {
      return taken_from_words<N, value>(
          *reinterpret_cast<const packet<std::uint32_t, bytes / 4>*>(s.data() + i));
    } else {
      return *reinterpret_cast<const packet<value, N>*>(s.data() + i);
    }
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

}  // namespace fettle::ndp::cuda::detail
