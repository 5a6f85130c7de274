// sort(s), sort(less, s): the elements of s in ascending order. sort_by_key(k, s),
// sort_by_key(less, k, s): the tuples of keys and elements in the keys' order, into a zip.
//
// Both are stable: what neither is less than the other stays in its order. less{} and greater{}
// order floating-point numbers as their bits do: a NaN whose sign bit is set is less than all
// numbers, others are greater than all; 0.0 and -0.0 are equal.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// What stands for the values of a sort without any.
struct no_values {};

template <typename Less, random_access K, typename S>
struct sorted_sequence {
  static constexpr bool has_values = !std::is_same_v<S, no_values>;

  using operator_type = std::conditional_t<has_values, op::sort_by_key, op::sort>;
  using key_type = std::remove_cv_t<typename K::value_type>;
  using element_type = typename std::conditional_t<has_values, S, K>::value_type;
  using value_type =
      std::conditional_t<has_values, tuple<key_type, std::remove_cv_t<element_type>>, key_type>;

  Less less;
  K keys;
  S source;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return keys.size(); }
};

/// E is a sort or a sort_by_key.
template <typename E>
inline constexpr bool is_sorted_v = false;
template <typename Less, typename K, typename S>
inline constexpr bool is_sorted_v<sorted_sequence<Less, K, S>> = true;

namespace detail {

/// Whether keys may be sorted so, and a sentence where not.
template <typename Less, typename K>
FETTLE_HOST_DEVICE constexpr bool check_sort() {
  constexpr bool in_order = !sequence_like<Less>;
  constexpr bool is_sequence = random_access<K>;
  static_assert(in_order,
                "sort, sort_by_key: the comparison comes first, then what is sorted: "
                "sort(less, sequence)");
  static_assert(is_sequence || !in_order,
                "sort, sort_by_key: what is sorted must be a sequence with a subscript; make one "
                "with make_sequence, and realise a scan first");
  if constexpr (in_order && is_sequence && !any_invalid_v<K>) {
    constexpr bool has_values = !nested<K> && !operation<typename K::value_type>;
    static_assert(has_values,
                  "sort, sort_by_key: the keys are rows or computations; sort indices of them by a "
                  "function object that compares two indices");
    if constexpr (has_values) {
      using key = std::remove_cv_t<typename K::value_type>;
      constexpr bool compares =
          requires(const Less& less, const key& a) { static_cast<bool>(less(a, a)); };
      static_assert(compares,
                    "sort, sort_by_key: the comparison must take two keys and return whether the "
                    "first comes before the second, as a bool (its operator() must be const); the "
                    "default one is for types with an operator <");
      return compares;
    }
  }
  return false;
}

}  // namespace detail

template <typename Less, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto sort(Less less, const S& source) {
  if constexpr (detail::check_sort<Less, S>()) {
    return sorted_sequence<Less, S, no_values>{less, source, {}};
  } else {
    return invalid_expression{};
  }
}
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto sort(const S& source) {
  return sort(less{}, source);
}

template <typename Less, typename K, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto sort_by_key(Less less, const K& keys,
                                                            const S& source) {
  constexpr bool has_elements = random_access<S> && !nested<S>;
  static_assert(has_elements,
                "sort_by_key: the last argument must be a sequence of values with a subscript, an "
                "element for each key; to sort rows, sort range(0, n) and gather the rows");
  if constexpr (!has_elements || detail::any_invalid_v<S>) {
    return invalid_expression{};
  } else if constexpr (detail::check_sort<Less, K>()) {
    check_same_size("sort_by_key", source.size(), keys.size());
    return sorted_sequence<Less, K, S>{less, keys, source};
  } else {
    return invalid_expression{};
  }
}
template <typename K, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto sort_by_key(const K& keys, const S& source) {
  return sort_by_key(less{}, keys, source);
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) == 0 || sizeof...(Arguments) > 2)
FETTLE_HOST_DEVICE constexpr invalid_expression sort(const Arguments&... /*arguments*/) {
  static_assert(
      sizeof...(Arguments) == 1,
      "sort: takes one or two arguments, sort(less, sequence); less is < where it is left out");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression sort_by_key(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "sort_by_key: takes two or three arguments, sort_by_key(less, keys, sequence); "
                "less is < where it is left out");
  return {};
}

}  // namespace fettle::ndp
