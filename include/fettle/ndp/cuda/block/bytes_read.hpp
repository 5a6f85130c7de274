// bytes_read: how many bytes an element of a sequence takes to read, from its type. Needs no CUDA.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of a random access: most of a sector.
inline constexpr int gathered_bytes = 24;

/// What an element reads: in the order of memory, and in any order. A view is a template over other
/// views and types, so its arguments are looked through.
struct bytes_read {
  int in_order = 0;
  int gathered = 0;

  [[nodiscard]] constexpr bytes_read operator+(const bytes_read& other) const {
    return {in_order + other.in_order, gathered + other.gathered};
  }
  [[nodiscard]] constexpr int all() const { return in_order + gathered; }
};

template <typename S>
inline constexpr bytes_read bytes_read_v{};
template <template <typename...> typename View, typename... Arguments>
inline constexpr bytes_read bytes_read_v<View<Arguments...>> =
    (bytes_read{} + ... + bytes_read_v<Arguments>);
template <typename T>
inline constexpr bytes_read bytes_read_v<sequence<T>> = {static_cast<int>(sizeof(T)), 0};
template <typename T, typename Stride>
inline constexpr bytes_read bytes_read_v<counting_sequence<T, Stride>> = {};
template <typename T>
inline constexpr bytes_read bytes_read_v<constant_sequence<T>> = {};
template <typename S, typename Indices>
inline constexpr bytes_read bytes_read_v<gathered_sequence<S, Indices>> =
    bytes_read_v<Indices> + bytes_read{0, gathered_bytes};
/// A function that carries a view reads through it.
template <typename F, typename... S>
inline constexpr bytes_read bytes_read_v<transformed_sequence<F, S...>> =
    (bytes_read{0, sizeof(F) >= sizeof(sequence<const char>) ? gathered_bytes : 0} + ... +
     bytes_read_v<S>);

}  // namespace fettle::ndp::cuda::detail
