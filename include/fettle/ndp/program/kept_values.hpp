// kept_values: what the map of a pass has written (shape/one_pass.hpp), as the pass's reduction
// reads it, and whether it reads each element at its own index.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/holds_result.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// In memory of the program's user, or of the program, which is known when the program runs.
template <typename T>
struct kept_values {
  using value_type = T;

  sequence<const T> memory;
  const result_place* place;  // null: the user's memory

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return memory.size(); }
  /// For the types of expressions alone; they are resolved before they are computed.
  FETTLE_HOST_DEVICE constexpr const T& operator[](index_t i) const { return memory[i]; }

  [[nodiscard]] sequence<const T> resolved() const {
    return place == nullptr ? memory
                            : sequence<const T>(static_cast<const T*>(place->data), memory.size());
  }
};

template <typename T>
inline constexpr bool holds_result_v<kept_values<T>> = true;

template <typename S>
inline constexpr bool holds_kept_v = false;
template <template <typename...> typename Node, typename... S>
inline constexpr bool holds_kept_v<Node<S...>> = (holds_kept_v<S> || ...);
template <typename T>
inline constexpr bool holds_kept_v<kept_values<T>> = true;

/// Element i of S reads element i of what is kept, and no other.
template <typename S>
inline constexpr bool reads_kept_in_place_v = !holds_kept_v<S>;
template <typename T>
inline constexpr bool reads_kept_in_place_v<kept_values<T>> = true;
template <typename... S>
inline constexpr bool reads_kept_in_place_v<zipped_sequence<S...>> =
    (reads_kept_in_place_v<S> && ...);
template <typename F, typename... S>
inline constexpr bool reads_kept_in_place_v<transformed_sequence<F, S...>> =
    (reads_kept_in_place_v<S> && ...);
template <typename F, typename Team, typename... S>
inline constexpr bool reads_kept_in_place_v<transformed_sequence<row_function<F, Team>, S...>> =
    !(holds_kept_v<S> || ...);

}  // namespace detail

template <typename T>
inline constexpr bool is_program_result_v<detail::kept_values<T>> = true;

}  // namespace fettle::ndp
