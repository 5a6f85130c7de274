// contiguous: neighbouring rows that are one run of elements.
//
// A user's function says what each row reduces, row by row. Where every one of those sources is the
// same expression over contiguous pieces of memory (a row of a sparse matrix
// times what its columns gather), all of them together are that expression over the whole piece:
// its elements can be computed without regard to where rows end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// What of sequences of type S can be said without reading an element:
//   comparable, difference(a, b): zero where they yield the same elements, being views of the same
//     memory.
//   continuable, gap(a, b): zero where b begins in memory where a ends.
//   distance(a, b): how many elements b begins behind a, where there are no gaps between.
//   widened(a, size): a's expression over `size` elements from a's first on.
//
// (Numbers instead of truth values, because these combine without branches and fold to nothing
// where rows are pieces between offsets.)
using gap_t = std::uintptr_t;

template <typename S>
struct continued {
  static constexpr bool comparable = false;
  static constexpr bool continuable = false;
};

template <typename T>
struct continued<sequence<T>> {
  static constexpr bool comparable = true;
  static constexpr bool continuable = true;

  [[nodiscard]] static gap_t difference(const sequence<T>& a, const sequence<T>& b) noexcept {
    return between(a.data(), b.data()) | static_cast<gap_t>(a.size() - b.size());
  }
  [[nodiscard]] static gap_t gap(const sequence<T>& a, const sequence<T>& b) noexcept {
    return reinterpret_cast<gap_t>(b.data()) - reinterpret_cast<gap_t>(a.data()) -
           static_cast<gap_t>(a.size()) * sizeof(T);
  }
  [[nodiscard]] static index_t distance(const sequence<T>& a, const sequence<T>& b) noexcept {
    return b.data() - a.data();
  }
  [[nodiscard]] static sequence<T> widened(const sequence<T>& a, index_t size) noexcept {
    return {a.data(), size};
  }

 private:
  [[nodiscard]] static gap_t between(const T* a, const T* b) noexcept {
    return reinterpret_cast<gap_t>(a) ^ reinterpret_cast<gap_t>(b);
  }
};

template <typename S>
struct continued<window<S>> {
  static constexpr bool comparable = continued<S>::comparable;
  static constexpr bool continuable = comparable;

  [[nodiscard]] static gap_t difference(const window<S>& a, const window<S>& b) noexcept {
    return continued<S>::difference(a.base(), b.base()) |
           static_cast<gap_t>(a.first() - b.first()) | static_cast<gap_t>(a.size() - b.size());
  }
  [[nodiscard]] static gap_t gap(const window<S>& a, const window<S>& b) noexcept {
    return continued<S>::difference(a.base(), b.base()) |
           static_cast<gap_t>(a.first() + a.size() - b.first());
  }
  [[nodiscard]] static index_t distance(const window<S>& a, const window<S>& b) noexcept {
    return b.first() - a.first();
  }
  [[nodiscard]] static window<S> widened(const window<S>& a, index_t size) noexcept {
    return {a.base(), a.first(), size};
  }
};

template <typename S, typename Indices>
struct continued<gathered_sequence<S, Indices>> {
  using view = gathered_sequence<S, Indices>;
  static constexpr bool comparable = continued<S>::comparable && continued<Indices>::comparable;
  static constexpr bool continuable = continued<S>::comparable && continued<Indices>::continuable;

  [[nodiscard]] static gap_t difference(const view& a, const view& b) noexcept {
    return continued<S>::difference(a.source, b.source) |
           continued<Indices>::difference(a.indices, b.indices);
  }
  [[nodiscard]] static gap_t gap(const view& a, const view& b) noexcept {
    return continued<S>::difference(a.source, b.source) |
           continued<Indices>::gap(a.indices, b.indices);
  }
  [[nodiscard]] static index_t distance(const view& a, const view& b) noexcept {
    return continued<Indices>::distance(a.indices, b.indices);
  }
  [[nodiscard]] static view widened(const view& a, index_t size) noexcept {
    return {a.source, continued<Indices>::widened(a.indices, size)};
  }
};

// Functions are equal where their bytes are: a few, so that comparing them costs nothing.
template <typename F>
inline constexpr bool is_comparable_function_v =
    std::is_empty_v<F> || (std::is_trivially_copyable_v<F> && sizeof(F) <= 2 * sizeof(void*));

template <typename F>
[[nodiscard]] inline gap_t function_difference(const F& a, const F& b) noexcept {
  if constexpr (std::is_empty_v<F>) {
    return 0;
  } else {
    return static_cast<gap_t>(
        std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(F)) != 0);
  }
}

/// The same of all the sources of a view.
template <typename... S>
struct continued_sources {
  using sources = tuple<S...>;
  static constexpr bool comparable = (continued<S>::comparable && ...);
  static constexpr bool continuable = (continued<S>::continuable && ...);

  [[nodiscard]] static gap_t difference(const sources& a, const sources& b) noexcept {
    return for_all([&]<std::size_t At, typename One>() {
      return continued<One>::difference(get<At>(a), get<At>(b));
    });
  }
  /// Sources that are longer than the first one, which gives the length, do not go on with it.
  [[nodiscard]] static gap_t gap(const sources& a, const sources& b) noexcept {
    return for_all([&]<std::size_t At, typename One>() {
      return continued<One>::gap(get<At>(a), get<At>(b)) |
             static_cast<gap_t>(get<At>(a).size() - get<0>(a).size());
    });
  }
  [[nodiscard]] static index_t distance(const sources& a, const sources& b) noexcept {
    return continued<std::tuple_element_t<0, std::tuple<S...>>>::distance(get<0>(a), get<0>(b));
  }
  [[nodiscard]] static sources widened(const sources& a, index_t size) noexcept {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return tuple_of<S...>(continued<S>::widened(get<Is>(a), size)...);
    }(std::index_sequence_for<S...>{});
  }

 private:
  template <typename Look>
  [[nodiscard]] static gap_t for_all(const Look& look) noexcept {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return (gap_t{0} | ... | look.template operator()<Is, S>());
    }(std::index_sequence_for<S...>{});
  }
};

template <typename... S>
struct continued<zipped_sequence<S...>> {
  using view = zipped_sequence<S...>;
  using sources = continued_sources<S...>;
  static constexpr bool comparable = sources::comparable;
  static constexpr bool continuable = sources::continuable;

  [[nodiscard]] static gap_t difference(const view& a, const view& b) noexcept {
    return sources::difference(a.sources, b.sources);
  }
  [[nodiscard]] static gap_t gap(const view& a, const view& b) noexcept {
    return sources::gap(a.sources, b.sources);
  }
  [[nodiscard]] static index_t distance(const view& a, const view& b) noexcept {
    return sources::distance(a.sources, b.sources);
  }
  [[nodiscard]] static view widened(const view& a, index_t size) noexcept {
    return {sources::widened(a.sources, size)};
  }
};

template <typename F, typename... S>
struct continued<transformed_sequence<F, S...>> {
  using view = transformed_sequence<F, S...>;
  using sources = continued_sources<S...>;
  static constexpr bool comparable = is_comparable_function_v<F> && sources::comparable;
  static constexpr bool continuable = is_comparable_function_v<F> && sources::continuable;

  [[nodiscard]] static gap_t difference(const view& a, const view& b) noexcept {
    return function_difference(a.function, b.function) | sources::difference(a.sources, b.sources);
  }
  [[nodiscard]] static gap_t gap(const view& a, const view& b) noexcept {
    return function_difference(a.function, b.function) | sources::gap(a.sources, b.sources);
  }
  [[nodiscard]] static index_t distance(const view& a, const view& b) noexcept {
    return sources::distance(a.sources, b.sources);
  }
  [[nodiscard]] static view widened(const view& a, index_t size) noexcept {
    return {a.function, sources::widened(a.sources, size)};
  }
};

/// Sources of which gap_between() tells whether one follows another in memory.
template <typename S>
concept continuable = continued<S>::continuable;

/// Zero where `next` begins where `first` ends. Both together are widened(first, sum of sizes)
/// then.
template <continuable S>
[[nodiscard]] inline std::uintptr_t gap_between(const S& first, const S& next) noexcept {
  return continued<S>::gap(first, next);
}

/// How many elements lie between the begin of `first` and the begin of `later`. There are no gaps
/// between the two.
template <continuable S>
[[nodiscard]] inline index_t distance_between(const S& first, const S& later) noexcept {
  return continued<S>::distance(first, later);
}

/// `first`, extended to `size` elements: those of `first`, then those behind them in memory.
template <continuable S>
[[nodiscard]] inline S widened(const S& first, index_t size) noexcept {
  return continued<S>::widened(first, size);
}

/// A map whose elements are reductions to values, over sources that may lie side by side.
template <typename E>
concept contiguous_rows_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> && continuable<decltype(row_t<E>::source)> &&
    std::is_trivially_copyable_v<E>;

template <contiguous_rows_node E>
using row_value_t = typename row_t<E>::value_type;

}  // namespace fettle::ndp::host::detail
