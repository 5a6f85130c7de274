// block: an expression from an index i on: block[k] is e[i + k]. The index is added once, when the
// block is made, and not for every element.
//
// A compiler vectorises what reads memory by a number that grows by one. The element of a range of
// 32-bit numbers is an index of 64 bits cut to 32, which may wrap around as far as it knows; in a
// block it is a number plus the place in the block.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/join_rows.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// first, first + 1, ...: `count` numbers, all of which fit T.
template <typename T>
struct counted_block {
  using value_type = T;

  T first;
  index_t count;

  [[nodiscard]] constexpr index_t size() const { return count; }
  [[gnu::always_inline]] constexpr T operator[](index_t k) const {
    return static_cast<T>(first + static_cast<T>(k));
  }
};

// from(s, i, count)[k] = s[i + k] for k in [0, count); `found`: in a form that is worth its making.
template <typename S>
struct block_of {
  static constexpr bool found = false;
  [[nodiscard]] static const S& from(const S& s, index_t /*i*/, index_t /*count*/) { return s; }
};
template <typename T>
  requires(std::is_integral_v<T> && sizeof(T) < sizeof(index_t))
struct block_of<counting_sequence<T, unit_stride>> {
  static constexpr bool found = true;
  [[nodiscard]] static counted_block<T> from(const counting_sequence<T, unit_stride>& s, index_t i,
                                             index_t count) {
    return {s[i], count};
  }
};

// What a block may consist of: such ranges, memory, and functions of them.
template <typename S>
inline constexpr bool has_block_v = block_of<S>::found;
template <typename T>
inline constexpr bool has_block_v<sequence<T>> = true;

template <typename T>
struct block_of<sequence<T>> {
  static constexpr bool found = false;
  [[nodiscard]] static sequence<T> from(const sequence<T>& s, index_t i, index_t count) {
    return subsequence(s, i, count);
  }
};
template <typename S>
  requires(block_of<S>::found)
struct block_of<window<S>> {
  static constexpr bool found = true;
  [[nodiscard]] static auto from(const window<S>& s, index_t i, index_t count) {
    return block_of<S>::from(s.base(), s.first() + i, count);
  }
};
template <typename S, typename Indices>
  requires(block_of<Indices>::found)
struct block_of<gathered_sequence<S, Indices>> {
  static constexpr bool found = true;
  [[nodiscard]] static auto from(const gathered_sequence<S, Indices>& s, index_t i, index_t count) {
    const auto indices = block_of<Indices>::from(s.indices, i, count);
    return gathered_sequence<S, std::remove_const_t<decltype(indices)>>{s.source, indices};
  }
};
template <typename Outer, typename Last>
  requires(block_of<Last>::found)
struct block_of<joined_row<Outer, Last>> {
  static constexpr bool found = true;
  [[nodiscard]] static auto from(const joined_row<Outer, Last>& s, index_t i, index_t count) {
    const auto last = block_of<Last>::from(s.last, i, count);
    return joined_row<Outer, std::remove_const_t<decltype(last)>>{s.fixed, last};
  }
};
template <typename F, typename... S>
  requires((block_of<S>::found || ...) && (has_block_v<S> && ...))
struct block_of<transformed_sequence<F, S...>> {
  static constexpr bool found = true;
  [[nodiscard]] static auto from(const transformed_sequence<F, S...>& s, index_t i, index_t count) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return made(s.function, block_of<S>::from(get<Is>(s.sources), i, count)...);
    }(std::index_sequence_for<S...>{});
  }

 private:
  template <typename... Blocks>
  [[nodiscard]] static transformed_sequence<F, Blocks...> made(const F& function,
                                                               const Blocks&... blocks) {
    return {function, tuple_of<Blocks...>(blocks...)};
  }
};

/// An expression of which blocks are made.
template <typename S>
concept in_blocks = block_of<S>::found && std::is_trivially_copyable_v<S>;

}  // namespace fettle::ndp::host::detail
