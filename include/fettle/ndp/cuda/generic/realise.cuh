// realise: the elements of a computation put into their destination, by one thread or by the
// members of one execution resource; the generic way for every operator and any nesting.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/block/scan_range.cuh>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/block/wide_elements.hpp>
#include <fettle/ndp/cuda/generic/copy_packets.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The parameters of the level at `Depth`, which counts from 0.
template <typename Policy, int Depth>
inline constexpr level level_v = Policy::value.level[Depth];

/// Elements of a row that one thread reads before it writes.
inline constexpr int loads_in_flight = 4;

/// Elements i, i + Stride, ... of e: all are read before the first is written, so that loads
/// overlap.
template <int Stride, typename E, typename D, std::size_t... Ks>
__device__ void copy_elements(const E& e, const D& destination, index_t i,
                              std::index_sequence<Ks...> /*items*/) {
  using T = typename value_of<E>::type;
  const T values[] = {static_cast<T>(e[i + static_cast<index_t>(Ks) * Stride])...};
  (store(destination[i + static_cast<index_t>(Ks) * Stride], values[Ks]), ...);
}

/// The part of `destination` for row i of `e`, which has `count` elements.
template <typename E, typename D>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto row_destination(const E& e, const D& destination,
                                                                index_t i, index_t count) {
  if constexpr (std::is_same_v<D, no_destination>) {
    return destination;
  } else if constexpr (nested<D> || has_outer_shape_v<E>) {
    return destination_row(e, destination, i, count);
  } else {
    static_assert(has_row_offsets<E>,
                  "execute: a flat destination for nested results needs an argument with "
                  "contiguous rows (nest or split, not windows, halo or cyclic); give a nested "
                  "destination instead");
    return subsequence(destination, e.row_begin(i), count);
  }
}

/// f(i) for all i of [0, size) in order, Unroll at a time; 0: the compiler decides.
template <int Unroll, typename F>
__device__ void for_each_in_order(index_t size, const F& f) {
  if constexpr (Unroll == 0) {
    for (index_t i = 0; i < size; ++i) f(i);
  } else {
#pragma unroll Unroll
    for (index_t i = 0; i < size; ++i) f(i);
  }
}

/// A row's reduction by one thread. Unroll > 1: so many elements are read before the first of them
/// is combined, so that their loads overlap; 0: the compiler decides.
template <int Unroll, typename R>
[[nodiscard]] __device__ typename R::value_type serial_value(const R& r) {
  using T = typename R::value_type;
  static_assert(!sequence_like<T>,
                "execute: a reduce of sequences cannot be nested in another operator on "
                "platform::cuda; execute it by itself, or use reduce_by_key");
  return with_wide_elements(r.source, [&](const auto& source) {
    auto value = static_cast<T>(r.seed);
    const index_t size = source.size();
    if constexpr (Unroll > 1 && staged_loads_v<std::remove_cvref_t<decltype(source)>> > 1) {
      for_each_staged<Unroll>(source, 0, size, 1,
                              [&](const auto& x) { value = static_cast<T>(r.op(value, x)); });
    } else {
      for_each_in_order<Unroll>(size,
                                [&](index_t i) { value = static_cast<T>(r.op(value, source[i])); });
    }
    return value;
  });
}

template <typename Policy, int Depth, typename E, typename D>
__device__ void realise_serially(const E& e, const D& destination);

/// Element i of the level at `Depth`, and all below it, by the calling thread.
template <typename Policy, int Depth, typename E, typename D>
__device__ void realise_element(const E& e, const D& destination, index_t i) {
  using element = element_of_t<E>;
  if constexpr (is_update_v<E>) {
    e.update(i);
  } else if constexpr (std::is_void_v<element>) {
    e[i];
  } else if constexpr (is_reduced_v<element>) {
    store(destination[i], serial_value<level_v<Policy, Depth + 1>.unroll>(e[i]));
  } else if constexpr (sequence_like<element>) {
    const auto row = e[i];
    realise_serially<Policy, Depth + 1>(row, row_destination(e, destination, i, row.size()));
  } else {
    store(destination[i], e[i]);
  }
}

/// All elements of the level at `Depth`, by the calling thread.
template <typename Policy, int Depth, typename E, typename D>
__device__ void realise_serially(const E& e, const D& destination) {
  constexpr int unroll = level_v<Policy, Depth>.unroll;
  const index_t size = e.size();
  if constexpr (is_scanned_v<E>) {
    using T = typename E::value_type;
    auto value = static_cast<T>(e.seed);
    for_each_in_order<unroll>(size, [&](index_t i) {
      const auto next = static_cast<T>(e.op(value, e.source[i]));
      store(destination[i], E::is_inclusive ? next : value);
      value = next;
    });
  } else {
    for_each_in_order<unroll>(
        size, [&](index_t i) { realise_element<Policy, Depth>(e, destination, i); });
  }
}

/// p op (all of a source), by the members of Resource; right at rank 0.
template <typename Resource, bool UsePackets, typename R>
[[nodiscard]] __device__ typename R::value_type reduced_by(const R& r) {
  using T = typename R::value_type;
  using partial = partial_value<decltype(r.op), T>;
  auto value = partial::of(static_cast<T>(r.seed));
  value.append(r.op,
               fold<Resource, UsePackets, decltype(r.op), T>(r.op, r.source, 0, r.source.size()));
  return value.value;
}

/// Elements [begin, end), by the members of Resource, a packet each at a time. False where there
/// are fewer packets than members: reading single elements takes as long then.
template <typename Resource, typename E, typename V>
[[nodiscard]] __device__ bool copied_by_packets(const E& e, const sequence<V>& destination,
                                                index_t begin, index_t end) {
  constexpr int n = common_packet_v<E, sequence<V>>;
  if (end - begin < index_t{n} * Resource::size) return false;
  const int lead = common_lead(packet_lead<n>(e), packet_lead<n>(destination));
  const packet_cut cut = cut_to_packets(begin, end, lead, n);
  if (cut.packets + 1 < Resource::size) return false;
  index_t k = Resource::rank();
  for (; k + Resource::size < cut.packets; k += 2 * Resource::size) {
    copy_packets<n, Resource::size * n, true>(e, destination, cut.first + k * n,
                                              std::make_index_sequence<2>{});
  }
  if (k < cut.packets) {
    copy_packets<n, 0, true>(e, destination, cut.first + k * n, std::index_sequence<0>{});
  }
  const index_t singles = cut.singles(begin, end);
  for (index_t at = Resource::rank(); at < singles; at += Resource::size) {
    const index_t i = cut.single(begin, at);
    store(destination[i], e[i]);
  }
  return true;
}

/// Elements [begin, end) of one instance of the level at `Depth`, by the members of Resource
/// together.
template <typename Policy, int Depth, typename Resource, typename E, typename D>
__device__ void realise_range(const E& e, const D& destination, index_t begin, index_t end) {
  constexpr int grain = level_v<Policy, Depth>.grain_size;
  if constexpr (common_packet_v<E, D> > 1) {
    if (copied_by_packets<Resource>(e, destination, begin, end)) return;
  }
  index_t i = begin + Resource::rank();
  if constexpr (yields_values_v<E>) {
    constexpr int batch = grain < loads_in_flight ? loads_in_flight : grain;
    for (; i + (batch - 1) * Resource::size < end; i += batch * Resource::size) {
      copy_elements<Resource::size>(e, destination, i, std::make_index_sequence<batch>{});
    }
  }
#pragma unroll grain
  for (; i < end; i += Resource::size) realise_element<Policy, Depth>(e, destination, i);
}

/// All elements of one instance of the level at `Depth`, by the members of Resource together.
template <typename Policy, int Depth, typename Resource, typename E, typename D>
__device__ void realise_by(const E& e, const D& destination) {
  constexpr level its = level_v<Policy, Depth>;
  if constexpr (is_scanned_v<E>) {
    using T = typename E::value_type;
    const auto put = [&](index_t i, const T& value) { store(destination[i], value); };
    if constexpr (is_combinable_v<E>) {
      using scan =
          range_scan<Resource, its.block_scan_algo, its.block_scan_grain_size, E::is_inclusive>;
      scan::run(e.op, e.source, 0, e.size(), static_cast<T>(e.seed), put);
    } else if (Resource::rank() == 0) {
      realise_serially<Policy, Depth>(e, destination);
    }
  } else {
    realise_range<Policy, Depth, Resource>(e, destination, 0, e.size());
  }
}

/// Element i of the level at `Depth`, and all below it, by the members of Resource together.
template <typename Policy, int Depth, typename Resource, typename E, typename D>
__device__ void realise_row(const E& e, const D& destination, index_t i) {
  using element = element_of_t<E>;
  if constexpr (Resource::size == 1) {
    realise_element<Policy, Depth>(e, destination, i);
  } else if constexpr (is_reduced_v<element>) {
    const auto row = e[i];
    if constexpr (is_combinable_v<element>) {
      const auto value = reduced_by<Resource, (Resource::size >= 32)>(row);
      if (Resource::rank() == 0) store(destination[i], value);
    } else if (Resource::rank() == 0) {
      store(destination[i], serial_value<4>(row));
    }
  } else if constexpr (sequence_like<element>) {
    const auto row = e[i];
    realise_by<Policy, Depth + 1, Resource>(row, row_destination(e, destination, i, row.size()));
  } else if (Resource::rank() == 0) {
    realise_element<Policy, Depth>(e, destination, i);
  }
}

}  // namespace fettle::ndp::cuda::detail
