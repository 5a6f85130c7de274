// What a sequence is: a value with a size() and an operator[] that yields elements, on the host and
// in kernels. Views never own and never allocate; the owner of the memory keeps it alive.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Anything with a length whose elements have a type; scan has no subscript, all else does.
template <typename S>
concept sequence_like = requires(const std::remove_cvref_t<S>& s) {
  typename std::remove_cvref_t<S>::value_type;
  { s.size() } -> std::same_as<index_t>;
};

/// A sequence whose i-th element costs the same wherever it lies: what may be fused into a
/// consumer.
template <typename S>
concept random_access =
    sequence_like<S> && requires(const std::remove_cvref_t<S>& s, index_t i) { s[i]; };

/// What s[i] yields: a reference where the element lies in memory, a value where it is computed.
template <random_access S>
using element_t = decltype(std::declval<const std::remove_cvref_t<S>&>()[index_t{}]);

/// A sequence whose elements are sequences: rows, tiles, points.
template <typename S>
concept nested = random_access<S> && sequence_like<element_t<S>>;

/// A nested sequence whose rows are contiguous in a flat sequence: row i starts at
/// row_begin(i), and row_begin(size()) is the number of elements of all rows.
template <typename S>
concept has_row_offsets = nested<S> && requires(const std::remove_cvref_t<S>& s, index_t i) {
  { s.row_begin(i) } -> std::same_as<index_t>;
};

/// A nested sequence that knows without reading an element how long its rows are: all of them
/// row_size(), but for what is missing where a tiling cuts the last ones short.
template <typename S>
concept has_row_size = nested<S> && requires(const std::remove_cvref_t<S>& s) {
  { s.row_size() } -> std::same_as<index_t>;
};

namespace detail {

template <typename Element>
inline constexpr bool assignable_v =
    std::is_lvalue_reference_v<Element> && !std::is_const_v<std::remove_reference_t<Element>>;
template <typename... Ts>
inline constexpr bool assignable_v<tuple<Ts...>> = sizeof...(Ts) > 0 && (assignable_v<Ts> && ...);

}  // namespace detail

/// A sequence whose elements may be assigned: they lie in memory that is not constant, or they are
/// tuples of such. A computed value cannot be assigned to.
template <typename S>
concept writable = random_access<S> && !nested<S> && detail::assignable_v<element_t<S>>;

/// Integers that say where elements lie: what gather, scatter and nest take.
template <typename S>
concept index_sequence = random_access<S> && std::integral<std::remove_cvref_t<element_t<S>>>;

/// An operator of the layer, as opposed to plain data: what an expression is made of.
template <typename E>
concept operation = requires { typename std::remove_cvref_t<E>::operator_type; };

}  // namespace fettle::ndp
