// copy_packets: elements of a map to memory, several neighbours in one access of up to 16 bytes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename E>
inline constexpr bool is_update_v = requires(const E& e) { e.update(index_t{}); };

/// e[i] is a value that is computed first and written later.
template <typename E>
inline constexpr bool yields_values_v = [] {
  using element = element_of_t<E>;
  return !std::is_void_v<element> && !is_update_v<E> && !sequence_like<element> &&
         !is_reduced_v<element>;
}();

template <typename E>
struct value_of {
  using type = void;
};
template <typename E>
  requires yields_values_v<E>
struct value_of<E> {
  using type = typename E::value_type;
};

/// How many elements of E and D are read and written at once: 1 where they are not contiguous.
template <typename E, typename D>
inline constexpr int common_packet_v = 1;

template <typename E>
inline constexpr bool is_computed_v = false;
template <typename T, typename Stride>
inline constexpr bool is_computed_v<counting_sequence<T, Stride>> = true;
template <typename T>
inline constexpr bool is_computed_v<constant_sequence<T>> = !sequence_like<T>;

template <typename E, typename V>
  requires(fits_packet_v<V> && !std::is_const_v<V> && (leaf_bytes_v<E> > 0 || is_computed_v<E>) &&
           yields_values_v<E> && std::is_constructible_v<V, const typename value_of<E>::type&>)
inline constexpr int common_packet_v<E, sequence<V>> =
    items_of_packet(wider(leaf_bytes_v<E>, static_cast<int>(sizeof(V))));

template <int N, typename V, typename T, std::size_t... Ks>
[[nodiscard]] __device__ packet<V, N> converted(const packet<T, N>& p,
                                                std::index_sequence<Ks...> /*items*/) {
  return {{static_cast<V>(p.item[Ks])...}};
}

/// Elements i ... i + N - 1 of e, by wide loads or one by one.
template <int N, bool Aligned, typename E>
[[nodiscard]] __device__ auto packet_at(const E& e, index_t i) {
  if constexpr (Aligned) {
    return read_packet<N>(e, i);
  } else {
    return reader<N, typename E::value_type>::each(e, i, std::make_index_sequence<N>{});
  }
}

/// Packets i, i + Stride, ... of N elements each: all are read before the first is written, so that
/// loads overlap.
template <int N, int Stride, bool Aligned, typename E, typename V, std::size_t... Ks>
__device__ void copy_packets(const E& e, const sequence<V>& destination, index_t i,
                             std::index_sequence<Ks...> /*packets*/) {
  const packet<V, N> values[] = {
      converted<N, V>(packet_at<N, Aligned>(e, i + static_cast<index_t>(Ks) * Stride),
                      std::make_index_sequence<N>{})...};
  ((*reinterpret_cast<packet<V, N>*>(destination.data() + i + static_cast<index_t>(Ks) * Stride) =
        values[Ks]),
   ...);
}

}  // namespace fettle::ndp::cuda::detail
