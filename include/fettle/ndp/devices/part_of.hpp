// part_of(s, first, count): the elements of a sequence or an operator from `first` on, as an
// operator of the same kind; what one device computes of a map becomes map > map.
//
//   part_of(map(f, s1, ..., sk), first, count) = map(f, part_of(s1, first, count), ...)
//   part_of(nest(s, o), first, count)          = nest(s, part_of(o, first, count + 1))
//   part_of(windows(s, k), first, count)       = windows(part_of(s, first, count + k - 1), k)
//   part_of(gather(s, idx), first, count)      = gather(s, part_of(idx, first, count))
//
// No element is copied. Parts of most operators have the type of the whole, so that no kernel is
// compiled twice; of the others a part is a window. Neighbours beyond a part (the halo of a window)
// are read where they are.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

template <typename S>
struct part_rule {
  static constexpr auto of(const S& s, index_t first, index_t count) {
    return subsequence(s, first, count);
  }
};

/// Elements first to first + count - 1 of `s`; count > 0, and they are in it.
template <typename S>
[[nodiscard]] constexpr auto part_of(const S& s, index_t first, index_t count) {
  return part_rule<S>::of(s, first, count);
}

template <typename... S>
[[nodiscard]] constexpr auto parts_of(const tuple<S...>& sources, index_t first, index_t count) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return tuple_of<decltype(part_of(std::declval<const S&>(), first, count))...>(
        part_of(get<Is>(sources), first, count)...);
  }(std::index_sequence_for<S...>{});
}

template <typename F, typename... S>
struct part_rule<transformed_sequence<F, S...>> {
  static constexpr auto of(const transformed_sequence<F, S...>& s, index_t first, index_t count) {
    return transformed_sequence<F, decltype(part_of(std::declval<const S&>(), first, count))...>{
        s.function, parts_of(s.sources, first, count)};
  }
};

template <typename... S>
struct part_rule<zipped_sequence<S...>> {
  static constexpr auto of(const zipped_sequence<S...>& s, index_t first, index_t count) {
    return zipped_sequence<decltype(part_of(std::declval<const S&>(), first, count))...>{
        parts_of(s.sources, first, count)};
  }
};

template <typename S, typename Indices>
struct part_rule<gathered_sequence<S, Indices>> {
  static constexpr auto of(const gathered_sequence<S, Indices>& s, index_t first, index_t count) {
    const auto indices = part_of(s.indices, first, count);
    return gathered_sequence<S, std::remove_const_t<decltype(indices)>>{s.source, indices};
  }
};

/// Indices still count from the start of the whole destination.
template <typename S, typename Indices, typename D>
struct part_rule<scattered<S, Indices, D>> {
  static constexpr auto of(const scattered<S, Indices, D>& s, index_t first, index_t count) {
    const auto source = part_of(s.source, first, count);
    const auto indices = part_of(s.indices, first, count);
    return scattered<std::remove_const_t<decltype(source)>, std::remove_const_t<decltype(indices)>,
                     D>{source, indices, s.destination};
  }
};

/// Offsets still count from the start of the whole source. The number of the part's elements is
/// estimated from its number of rows.
template <typename S, typename O>
struct part_rule<nested_sequence<S, O>> {
  static constexpr auto of(const nested_sequence<S, O>& s, index_t first, index_t count) {
    const auto offsets = part_of(s.offsets, first, count + 1);
    row_statistics rows = s.rows;
    const index_t all = rows.elements >= 0 ? rows.elements : s.source.size();
    rows.elements = static_cast<index_t>(static_cast<double>(all) * static_cast<double>(count) /
                                         static_cast<double>(s.size()));
    return nested_sequence<S, std::remove_const_t<decltype(offsets)>>{s.source, offsets, rows};
  }
};

template <typename S>
struct part_rule<tiled_sequence<S>> {
  static constexpr auto of(const tiled_sequence<S>& s, index_t first, index_t count) {
    const index_t begin = s.row_begin(first);
    const auto source = part_of(s.source, begin, s.row_begin(first + count) - begin);
    return tiled_sequence<std::remove_const_t<decltype(source)>>{source, s.tile_size};
  }
};

template <typename S>
struct part_rule<grid_sequence<S>> {
  static constexpr auto of(const grid_sequence<S>& s, index_t first, index_t count) {
    const auto source = part_of(s.source, first * s.width, count * s.width);
    return grid_sequence<std::remove_const_t<decltype(source)>>{source, count, s.width};
  }
};

template <typename S, typename Length, typename Stride>
struct part_rule<windowed_sequence<S, Length, Stride>> {
  static constexpr auto of(const windowed_sequence<S, Length, Stride>& s, index_t first,
                           index_t count) {
    const index_t stride = ndp::detail::value_of_number(s.stride);
    const auto source = part_of(s.source, first * stride, (count - 1) * stride + s.row_size());
    return windowed_sequence<std::remove_const_t<decltype(source)>, Length, Stride>{
        source, count, s.length, s.stride};
  }
};

/// Not of floating-point numbers: first + (a + b) stride is rounded otherwise in two steps.
template <std::integral T>
struct part_rule<counting_sequence<T, unit_stride>> {
  static constexpr auto of(const counting_sequence<T, unit_stride>& s, index_t first,
                           index_t count) {
    return counting_sequence<T, unit_stride>{s[first], count};
  }
};
template <std::integral T>
struct part_rule<counting_sequence<T, T>> {
  static constexpr auto of(const counting_sequence<T, T>& s, index_t first, index_t count) {
    return counting_sequence<T, T>{s[first], s.stride, count};
  }
};

template <typename T>
struct part_rule<constant_sequence<T>> {
  static constexpr auto of(const constant_sequence<T>& s, index_t /*first*/, index_t count) {
    return constant_sequence<T>{s.value, count};
  }
};

/// The part of a computation, as a computation: a part that is a window is copied by a map.
template <operation E>
[[nodiscard]] constexpr auto part_of_computation(const E& e, index_t first, index_t count) {
  auto part = part_of(e, first, count);
  if constexpr (operation<decltype(part)>) {
    return part;
  } else {
    return transformed_sequence<identity, decltype(part)>{identity{},
                                                          tuple_of<decltype(part)>(part)};
  }
}

}  // namespace fettle::ndp::devices::detail
