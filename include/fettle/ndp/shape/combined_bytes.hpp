// combined_bytes_v<E>: how large the values are that a computation combines, which decides how many
// of them fit where they are exchanged; combines_in_any_order_v<E>: whether its operator commutes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename E>
[[nodiscard]] consteval std::size_t combined_bytes() {
  if constexpr (is_reduced_v<E> || is_scanned_v<E> || is_reduced_by_key_v<E>) {
    if constexpr (sequence_like<typename E::value_type>) {
      return sizeof(double);
    } else {
      return sizeof(typename E::value_type);
    }
  } else if constexpr (requires(const E& e) { e[index_t{}]; }) {
    using element = std::remove_cvref_t<decltype(std::declval<const E&>()[index_t{}])>;
    if constexpr (operation<element>) {
      return combined_bytes<element>();
    } else {
      return 1;
    }
  } else {
    return 1;
  }
}

template <typename E>
[[nodiscard]] consteval bool combines_in_any_order() {
  if constexpr (is_reduced_v<E> || is_scanned_v<E> || is_reduced_by_key_v<E>) {
    return is_commutative_v<decltype(E::op)>;
  } else if constexpr (requires(const E& e) { e[index_t{}]; }) {
    using element = std::remove_cvref_t<decltype(std::declval<const E&>()[index_t{}])>;
    if constexpr (operation<element>) {
      return combines_in_any_order<element>();
    } else {
      return true;
    }
  } else {
    return true;
  }
}

}  // namespace detail

/// Bytes of one value of the innermost reduce or scan; 1 where nothing is combined.
template <typename E>
inline constexpr std::size_t combined_bytes_v = detail::combined_bytes<std::remove_cvref_t<E>>();

/// The operator of the innermost reduce or scan commutes; true where nothing is combined.
template <typename E>
inline constexpr bool combines_in_any_order_v =
    detail::combines_in_any_order<std::remove_cvref_t<E>>();

}  // namespace fettle::ndp
