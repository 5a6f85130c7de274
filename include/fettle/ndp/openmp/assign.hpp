// assign: destination[i] = source[i] on one thread, by whole vectors where the destination is
// memory.
#pragma once

#include <cstring>
#include <type_traits>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/openmp/lanes.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/store.hpp>

namespace fettle::ndp::openmp {

namespace detail {

// Memory of numbers, few enough of them in a vector that the user's function is not copied often.
template <typename D>
inline constexpr bool has_lanes_to_store_v = false;
template <typename T>
  requires fits_lanes_v<T>
inline constexpr bool has_lanes_to_store_v<sequence<T>> = lanes_v<T> <= 8;

}  // namespace detail

/// One element after the other.
template <typename D, typename S>
inline void assign_in_order(const D& destination, const S& source, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) store<element_t<D>>(destination[i], source[i]);
}

/// In any order: an element of the destination may be read for its own place only.
template <typename D, typename S>
inline void assign(const D& destination, const S& source, index_t begin, index_t end) {
  if constexpr (detail::has_lanes_to_store_v<D>) {
    using value = typename D::value_type;
    if constexpr (std::is_constructible_v<value, element_t<S>>) {
      for (; begin + lanes_v<value> <= end; begin += lanes_v<value>) {
        const auto lanes = load_lanes<value>(source, begin);
        std::memcpy(&destination[begin], &lanes, sizeof(lanes));
      }
    }
  }
  assign_in_order(destination, source, begin, end);
}

}  // namespace fettle::ndp::openmp
