// counted(destination, count): a destination of a computation of which only reading its input tells
// how many results it has. Their number goes to count[0].
//
//   const index_t kept = execute(filter(f, s), y);   on CUDA this waits for the stream
//   execute(filter(f, s), counted(y, n));            n is a sequence in the platform's memory
//
// Where there are more results than the destination has room for, count[0] is the number of all;
// the host throws, the GPU drops the rest.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// `results` has one element: the number of results.
template <random_access D, std::integral N>
struct counted_destination {
  using value_type = typename D::value_type;

  D destination;
  sequence<N> results;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return destination.size(); }
  FETTLE_HOST_DEVICE constexpr element_t<D> operator[](index_t i) const { return destination[i]; }
};

template <typename D>
inline constexpr bool is_counted_v = false;
template <typename D, typename N>
inline constexpr bool is_counted_v<counted_destination<D, N>> = true;

/// A filter, partition, unique, runs_by_key: execute returns how many results it has.
template <typename E>
concept returns_count =
    is_selected_v<std::remove_cvref_t<E>> || is_keyed_runs_v<std::remove_cvref_t<E>>;

/// ... and a reduce_by_key of values, of which counted() tells it.
template <typename E>
concept has_count =
    returns_count<E> || (is_reduced_by_key_v<std::remove_cvref_t<E>> &&
                         !sequence_like<typename std::remove_cvref_t<E>::value_type>);

/// `count` is one integer in memory of the platform: make_sequence(pointer, 1).
template <typename D, typename Count>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto counted(const D& destination, const Count& count) {
  constexpr bool is_destination = writable<D> || detail::any_invalid_v<D>;
  static_assert(is_destination,
                "counted: the first argument must be a destination: a sequence, or a zip of "
                "sequences, over memory that is not const");
  constexpr bool is_integer =
      requires { sequence(count.data(), index_t{1}); } && index_sequence<Count> && writable<Count>;
  static_assert(is_integer,
                "counted: the second argument takes the number of results; it must be a sequence "
                "of one integer in the platform's memory, as make_sequence(pointer, 1)");
  if constexpr (is_destination && is_integer && !detail::any_invalid_v<D>) {
    return counted_destination<D, typename Count::value_type>{destination, count};
  } else {
    return invalid_expression{};
  }
}

/// Tells a counted destination how many results there are.
template <typename D>
constexpr void set_count([[maybe_unused]] const D& destination, [[maybe_unused]] index_t count) {
  if constexpr (is_counted_v<D>) {
    using integer = typename decltype(destination.results)::value_type;
    destination.results[0] = static_cast<integer>(count);
  }
}

namespace detail {

/// Somewhere in E's rows is an operator that works on a whole sequence only.
template <typename E>
[[nodiscard]] consteval bool has_whole_operator_inside() {
  if constexpr (requires { typename E::inner_type; }) {
    using inner = std::remove_cvref_t<typename E::inner_type>;
    return returns_count<inner> || is_reduced_by_index_v<inner> || is_sorted_v<inner> ||
           has_whole_operator_inside<inner>();
  } else {
    return false;
  }
}

}  // namespace detail

}  // namespace fettle::ndp
