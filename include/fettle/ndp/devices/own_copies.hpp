// own_copies: a computation as one of several devices runs it: function objects that hold
// replicated memory take the copy of that device, by their member for_part():
//
//   struct row_dot {
//     ndp::cuda_devices::replica<double> x;
//     row_dot for_part(int part) const { return {x.for_part(part)}; }
//     ...
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/operands.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

template <typename F>
concept has_parts = requires(const F& f) {
  { f.for_part(0) } -> std::same_as<F>;
};

template <typename E>
void take_own_copies(E& e, int part) {
  if constexpr (requires { e.function; }) {
    using function = std::remove_cvref_t<decltype(e.function)>;
    if constexpr (has_parts<function>) e.function = e.function.for_part(part);
  }
  if constexpr (ndp::detail::is_tuple_v<E> || sequence_like<E> || operation<E>) {
    // `e` is not const, so neither are its operands.
    for_each_operand(e, [part](const auto& operand) {
      take_own_copies(const_cast<std::remove_cvref_t<decltype(operand)>&>(operand), part);
    });
  }
}

/// `e` with the copies of device `part` of the list.
template <typename E>
[[nodiscard]] E with_own_copies(const E& e, int part) {
  E own = e;
  take_own_copies(own, part);
  return own;
}

}  // namespace fettle::ndp::devices::detail
