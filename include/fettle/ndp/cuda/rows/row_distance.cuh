// row_distance: how far apart in memory the rows of neighbouring lanes begin.
//
// Threads that each walk a row read side by side where rows begin side by side, as overlapping
// windows do; lanes that share a row do where the row itself lies in the order of memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <cuda_runtime.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/leaves.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether neighbours in S are neighbours in memory, in all that it reads but the source of a
/// gather. Not where a function carries what may be a view: what it reads cannot be seen.
template <typename S>
inline constexpr bool lies_in_order_v = false;
template <typename T>
inline constexpr bool lies_in_order_v<sequence<T>> = true;
template <typename T, typename Stride>
inline constexpr bool lies_in_order_v<counting_sequence<T, Stride>> = true;
template <typename T>
inline constexpr bool lies_in_order_v<constant_sequence<T>> = true;
template <typename S, typename Indices>
inline constexpr bool lies_in_order_v<gathered_sequence<S, Indices>> = lies_in_order_v<Indices>;
template <typename... S>
inline constexpr bool lies_in_order_v<zipped_sequence<S...>> = (lies_in_order_v<S> && ...);
template <typename F, typename... S>
inline constexpr bool lies_in_order_v<transformed_sequence<F, S...>> =
    sizeof(F) < sizeof(sequence<const char>) && (lies_in_order_v<S> && ...);

/// A source of rows that read memory, and in its order.
template <typename S>
concept read_in_order = lies_in_order_v<S> && bytes_read_v<S>.in_order > 0;

/// Whether elements of S are what a function makes of neighbouring indices and of what it carries,
/// which may be views. What it reads cannot be seen; where each row has its own views, it is
/// likely to read them in order.
template <typename S>
inline constexpr bool indexes_views_v = false;
template <typename F, typename T, typename Stride>
inline constexpr bool indexes_views_v<transformed_sequence<F, counting_sequence<T, Stride>>> =
    sizeof(F) >= sizeof(sequence<const char>) && std::is_trivially_copyable_v<F> && !is_costly_v<F>;

/// The most by which a word of `f` differs from the next lane's, as an address or an index does
/// that says where a row begins; what differs by more is something else.
template <typename F>
[[nodiscard]] __device__ long long words_to_next(const F& f) {
  constexpr long long same_memory = 1 << 20;
  long long most = 0;
#pragma unroll
  for (std::size_t k = 0; k < sizeof(F) / sizeof(long long); ++k) {
    long long word = 0;
    memcpy(&word, reinterpret_cast<const unsigned char*>(&f) + k * sizeof(word), sizeof(word));
    const long long distance = llabs(__shfl_down_sync(0xFFFFFFFFU, word, 1) - word);
    if (distance < same_memory && distance > most) most = distance;
  }
  return most;
}

/// Bytes from where `s` begins to where that of the next lane does: the most of all that it reads
/// in order. All lanes of the warp take part; the last one finds 0.
template <typename S>
[[nodiscard]] __device__ long long bytes_to_next(const S& s) {
  if constexpr (ndp::detail::is_contiguous_v<S>) {
    const auto begin = reinterpret_cast<long long>(s.data());
    return llabs(__shfl_down_sync(0xFFFFFFFFU, begin, 1) - begin);
  } else if constexpr (indexes_views_v<S>) {
    return words_to_next(s.function);
  } else if constexpr (requires { s.indices; }) {
    return bytes_to_next(s.indices);
  } else if constexpr (requires { s.sources; }) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      long long most = 0;
      ((most = max(most, bytes_to_next(get<Is>(s.sources)))), ...);
      return most;
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(s.sources)>>>{});
  } else {
    return 0;
  }
}

}  // namespace fettle::ndp::cuda::detail
