// destination_checks: whether the results of an expression go into a destination, by the types of
// both; a sentence where not.
#pragma once

#include <tuple>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/expression.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// The scalars of a sequence or of a result, however deeply it nests.
template <typename T>
struct scalar_of {
  using type = T;
};
template <typename T>
  requires(sequence_like<T> || operation<T>)
struct scalar_of<T> : scalar_of<typename std::remove_cvref_t<T>::value_type> {};

/// What a destination's elements are in the end: a reference, or a tuple of them.
template <typename D>
struct target_of {
  using type = element_t<D>;
};
template <nested D>
struct target_of<D> : target_of<std::remove_cvref_t<element_t<D>>> {};

/// Whether results of E can be assigned to elements of D; those of tuples are checked where they
/// are stored.
template <typename E, typename D>
[[nodiscard]] consteval bool results_convert() {
  if constexpr (random_access<D>) {
    using target = typename target_of<D>::type;
    using result = typename scalar_of<typename E::value_type>::type;
    if constexpr (std::is_lvalue_reference_v<target>) {
      return std::is_convertible_v<const result&, std::remove_reference_t<target>>;
    }
  }
  return true;
}

/// Whether results of E are tuples where D is a zip; runs_by_key and sort_by_key store pairs.
template <typename E, typename D>
[[nodiscard]] consteval bool results_fit_zip() {
  if constexpr (random_access<D> && !is_keyed_runs_v<E> && !is_sorted_v<E>) {
    if constexpr (is_tuple_v<typename target_of<D>::type>) {
      return is_tuple_v<std::remove_cvref_t<typename scalar_of<typename E::value_type>::type>>;
    }
  }
  return true;
}

/// Whether each element of E is one value: a row of a destination takes none.
template <typename E>
[[nodiscard]] consteval bool yields_values() {
  if constexpr (!random_access<E>) {
    return false;
  } else {
    using value = typename E::value_type;
    if constexpr (is_reduced_v<value>) {
      return !sequence_like<typename value::value_type>;
    } else {
      return !sequence_like<value> && !operation<value>;
    }
  }
}

template <typename D>
concept writable_rows = nested<D> && writable<element_t<D>>;

/// D is a sequence into which the results of E may be written.
template <typename E, typename D>
[[nodiscard]] consteval bool check_sequence_of_results() {
  constexpr bool is_sequence = random_access<D>;
  static_assert(is_sequence,
                "execute: the destination must be a sequence: make_sequence(v) of a vector, or "
                "make_sequence(data, size) of memory; a reduce to one value takes a variable, too");
  constexpr bool rows_are_writable = !nested<D> || writable_rows<D>;
  static_assert(rows_are_writable,
                "execute: the destination's rows are read only; make it from memory that is not "
                "const");
  constexpr bool is_writable = !is_sequence || nested<D> || writable<D>;
  static_assert(
      is_writable,
      "execute: the destination is read only; make it from memory that is not const (for flags "
      "from a vector<char>: a vector<bool> is bits)");
  constexpr bool takes_values = !nested<D> || !yields_values<E>();
  static_assert(takes_values,
                "execute: each result is a value, and the destination's elements are sequences; "
                "give a destination of values");
  constexpr bool may_be_written = is_sequence && rows_are_writable && is_writable && takes_values;
  constexpr bool convert = !may_be_written || results_convert<E, D>();
  static_assert(convert, "execute: the results do not convert to the destination's elements");
  constexpr bool fit = !may_be_written || results_fit_zip<E, D>();
  static_assert(fit,
                "execute: the destination is a zip, so each result must be an ndp::tuple (not a "
                "std::tuple or std::pair); for one value an element give one sequence");
  return may_be_written && convert && fit;
}

/// Keys with values go into tuples of two.
template <typename E, typename D>
[[nodiscard]] consteval bool check_pairs() {
  constexpr bool yields_pairs = [] {
    if constexpr (is_sorted_v<E>) return E::has_values;
    return is_keyed_runs_v<E>;
  }();
  if constexpr (yields_pairs && random_access<D>) {
    constexpr bool pairs =
        requires { requires std::tuple_size<std::remove_cvref_t<element_t<D>>>::value == 2; };
    static_assert(
        pairs,
        "execute: the results of runs_by_key, run_lengths and sort_by_key are pairs: their "
        "destination must be a zip of two sequences, of keys and of values");
    return pairs;
  } else {
    return true;
  }
}

}  // namespace fettle::ndp::detail
