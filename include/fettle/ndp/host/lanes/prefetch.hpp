// prefetch: asks for memory that an expression will read soon.
//
// A processor recognises by itself what is read element after element, but stops at the end of
// every page, and loses track between the scattered reads of a gather. What is gathered is not
// asked for: where it lies is not known before the indices are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How many elements ahead: a page or two.
inline constexpr index_t prefetch_distance = 1024;

inline constexpr std::uintptr_t cache_line = 64;

template <typename S>
struct prefetcher {
  template <index_t Count>
  static void ask(const S& /*s*/, index_t /*i*/) noexcept {}
};

template <typename T>
struct prefetcher<sequence<T>> {
  template <index_t Count>
  [[gnu::always_inline]] static inline void ask(const sequence<T>& s, index_t i) noexcept {
    // As a number: the address may lie behind the memory's end, where asking does no harm.
    const auto from =
        reinterpret_cast<std::uintptr_t>(s.data()) + static_cast<std::uintptr_t>(i) * sizeof(T);
    constexpr std::uintptr_t bytes = static_cast<std::uintptr_t>(Count) * sizeof(T);
    for (std::uintptr_t at = 0; at < bytes; at += cache_line) {
      __builtin_prefetch(reinterpret_cast<const void*>(from + at));
    }
  }
};

template <typename S>
struct prefetcher<window<S>> {
  template <index_t Count>
  [[gnu::always_inline]] static inline void ask(const window<S>& s, index_t i) noexcept {
    prefetcher<S>::template ask<Count>(s.base(), s.first() + i);
  }
};

template <typename S, typename Indices>
struct prefetcher<gathered_sequence<S, Indices>> {
  template <index_t Count>
  [[gnu::always_inline]] static inline void ask(const gathered_sequence<S, Indices>& s,
                                                index_t i) noexcept {
    prefetcher<Indices>::template ask<Count>(s.indices, i);
  }
};

template <typename F, typename... S>
struct prefetcher<transformed_sequence<F, S...>> {
  template <index_t Count>
  [[gnu::always_inline]] static inline void ask(const transformed_sequence<F, S...>& s,
                                                index_t i) noexcept {
    ask<Count>(s, i, std::index_sequence_for<S...>{});
  }

 private:
  template <index_t Count, std::size_t... Is>
  [[gnu::always_inline]] static inline void ask(const transformed_sequence<F, S...>& s, index_t i,
                                                std::index_sequence<Is...> /*indices*/) noexcept {
    (prefetcher<S>::template ask<Count>(get<Is>(s.sources), i), ...);
  }
};

template <typename S>
inline constexpr bool reads_memory_v = false;
template <typename T>
inline constexpr bool reads_memory_v<sequence<T>> = true;
template <typename S>
inline constexpr bool reads_memory_v<window<S>> = reads_memory_v<S>;
template <typename S, typename Indices>
inline constexpr bool reads_memory_v<gathered_sequence<S, Indices>> = reads_memory_v<Indices>;
template <typename F, typename... S>
inline constexpr bool reads_memory_v<transformed_sequence<F, S...>> = (reads_memory_v<S> || ...);

/// Whether anything can be asked for early.
template <typename S>
concept prefetchable = reads_memory_v<S>;

/// More elements than this do not stay in a processor's caches from one computation to the next;
/// for fewer, asking costs more than it gains.
inline constexpr index_t cached_elements = index_t{1} << 20;

/// Where it is `wanted`: the memory of s[i + prefetch_distance] and the Count - 1
/// elements behind it; some of it may be behind the end of `s`.
template <index_t Count, typename S>
[[gnu::always_inline]] inline void prefetch_ahead(const S& s, index_t i, bool wanted) noexcept {
  if constexpr (prefetchable<S> && Count > 0) {
    if (wanted) prefetcher<S>::template ask<Count>(s, i + prefetch_distance);
  }
}

}  // namespace fettle::ndp::host::detail
