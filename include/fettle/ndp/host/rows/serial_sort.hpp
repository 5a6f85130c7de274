// serial_sort: sort and sort_by_key on one thread, by the standard library, and what a team's sort
// has in common with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A key and its value, side by side while they are sorted.
template <typename K, typename V>
struct keyed_element {
  K key;
  V value;
};

template <typename E>
struct sorted_element_of {
  using type = typename E::key_type;
};
template <typename E>
  requires E::has_values
struct sorted_element_of<E> {
  using type = keyed_element<typename E::key_type, std::remove_cv_t<typename E::element_type>>;
};
/// What is sorted: keys, or pairs of keys and values.
template <sort_node E>
using sorted_element = typename sorted_element_of<E>::type;

/// The comparison of such elements.
template <sort_node E>
struct sorted_elements_less {
  decltype(E::less) less;
  bool operator()(const sorted_element<E>& a, const sorted_element<E>& b) const {
    if constexpr (E::has_values) {
      return less(a.key, b.key);
    } else {
      return less(a, b);
    }
  }
};

template <typename T, sort_node E>
[[nodiscard]] T element_of_sort(const E& e, index_t i) {
  if constexpr (E::has_values) {
    return T{static_cast<typename E::key_type>(e.keys[i]),
             static_cast<decltype(T::value)>(e.source[i])};
  } else {
    return static_cast<T>(e.keys[i]);
  }
}

/// Elements [first, last) of the source.
template <sort_node E, typename T>
void read_elements(const E& e, index_t first, index_t last, T* to) {
  for (index_t i = first; i < last; ++i) to[i] = element_of_sort<T>(e, i);
}

template <sort_node E, typename D>
void write_elements(const sorted_element<E>* from, index_t first, index_t last,
                    const D& destination) {
  for (index_t i = first; i < last; ++i) {
    if constexpr (E::has_values) {
      store<element_t<D>>(destination[i], typename E::value_type{from[i].key, {from[i].value}});
    } else {
      store<element_t<D>>(destination[i], from[i]);
    }
  }
}

/// Which of two equal numbers comes first cannot be seen, unless they are zeros of different signs;
/// floating-point numbers without a NaN are compared by the processor's own comparison.
template <typename T, typename Less>
void sort_keys(T* first, T* last, const Less& less) {
  if constexpr (std::is_integral_v<T> &&
                (std::is_same_v<Less, ndp::less> || std::is_same_v<Less, ndp::greater>)) {
    std::sort(first, last, less);
  } else if constexpr (std::is_floating_point_v<T> && std::is_same_v<Less, ndp::less>) {
    if (std::none_of(first, last, [](T x) { return x != x || (x == 0 && 1 / x < 0); })) {
      std::sort(first, last);
    } else {
      std::stable_sort(first, last, less);
    }
  } else {
    std::stable_sort(first, last, less);
  }
}

template <typename T, sort_node E>
void sort_elements(T* first, T* last, const sorted_elements_less<E>& less) {
  if constexpr (E::has_values) {
    using key = typename E::key_type;
    using order = decltype(E::less);
    if constexpr (std::is_floating_point_v<key> && std::is_same_v<order, ndp::less>) {
      if (std::none_of(first, last, [](const T& x) { return x.key != x.key; })) {
        std::stable_sort(first, last, [](const T& a, const T& b) { return a.key < b.key; });
        return;
      }
    }
    std::stable_sort(first, last, less);
  } else {
    sort_keys(first, last, less.less);
  }
}
template <sort_node E, typename D>
void sort_in_thread(const E& e, const D& destination) {
  using T = sorted_element<E>;
  const index_t count = e.size();
  if constexpr (!E::has_values && std::is_same_v<D, sequence<T>>) {
    read_elements(e, 0, count, destination.data());
    sort_keys(destination.data(), destination.data() + count, e.less);
  } else if constexpr (std::is_default_constructible_v<T>) {
    const auto elements = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count));
    read_elements(e, 0, count, elements.get());
    sort_elements(elements.get(), elements.get() + count, sorted_elements_less<E>{e.less});
    write_elements<E>(elements.get(), 0, count, destination);
  } else {
    std::vector<T> elements;
    elements.reserve(static_cast<std::size_t>(count));
    for (index_t i = 0; i < count; ++i) elements.push_back(element_of_sort<T>(e, i));
    sort_elements(elements.data(), elements.data() + count, sorted_elements_less<E>{e.less});
    write_elements<E>(elements.data(), 0, count, destination);
  }
}

}  // namespace fettle::ndp::host::detail
