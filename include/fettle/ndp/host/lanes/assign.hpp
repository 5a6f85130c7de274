// assign: destination[i] = source[i] on one thread, with the processor's vectors where the
// destination is memory.
#pragma once

#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/join_rows.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How a thread holds an expression or a destination while it works: as a private copy, of which
/// the compiler knows that no store changes it; what is expensive to copy is shared.
template <typename T>
using own_t = std::conditional_t<std::is_trivially_copyable_v<T>, const T, const T&>;

template <typename D>
inline constexpr bool is_memory_of_numbers_v = false;
template <typename T>
inline constexpr bool is_memory_of_numbers_v<sequence<T>> = fits_lanes_v<T>;

/// One element after the other.
template <typename D, typename S>
inline void assign_in_order(const D& destination, const S& source, index_t begin, index_t end,
                            bool unroll = false) {
  own_t<S> own = source;
  own_t<D> to = destination;
  if (unroll) {
    for (; begin + 4 <= end; begin += 4) {
      store<element_t<D>>(to[begin], own[begin]);
      store<element_t<D>>(to[begin + 1], own[begin + 1]);
      store<element_t<D>>(to[begin + 2], own[begin + 2]);
      store<element_t<D>>(to[begin + 3], own[begin + 3]);
    }
  }
  for (; begin < end; ++begin) store<element_t<D>>(to[begin], own[begin]);
}

// assign() of elements that no join yields.
template <typename D, typename S>
inline void assign_elements(const D& destination, const S& source, index_t begin, index_t end) {
  if constexpr (is_memory_of_numbers_v<D>) {
    // Blocks of a fixed length, because compilers vectorise these at -O2 too.
    own_t<S> own = source;
    auto* const to = destination.data();
    constexpr index_t block = 64;
    constexpr index_t few = 8;
    if (end - begin < few) {
      for (; begin < end; ++begin) {
        keep_scalar();
        store<element_t<D>>(destination[begin], own[begin]);
      }
      return;
    }
    for (; begin + block <= end; begin += block) {
      if constexpr (checked) check_index("sequence", begin + block - 1, destination.size());
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
      for (index_t k = 0; k < block; ++k) store<element_t<D>>(to[begin + k], own[begin + k]);
    }
    using value = typename D::value_type;
    if constexpr (lanes_v<value> <= 8 && std::is_constructible_v<value, element_t<S>>) {
      for (; begin + lanes_v<value> <= end; begin += lanes_v<value>) {
        const auto lanes = load_lanes<value>(own, begin);
        std::memcpy(to + begin, &lanes, sizeof(lanes));
      }
    }
    assign_in_order(destination, own, begin, end);
  } else {
    assign_in_order(destination, source, begin, end);
  }
}

/// In any order: an element of the destination may be read for its own index only.
template <typename D, typename S>
inline void assign(const D& destination, const S& source, index_t begin, index_t end) {
  if constexpr (joined_elements<S>) {
    const bool done = for_join_rows(
        source, begin, end, [&](const auto& row, index_t first, index_t last, index_t index) {
          assign_elements(subsequence(destination, index, last), row, first, last);
        });
    if (done) return;
  }
  assign_elements(destination, source, begin, end);
}

}  // namespace fettle::ndp::host::detail
