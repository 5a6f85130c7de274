// narrower_bins: sums of whole numbers by index into narrower ones, as a histogram's counts into
// ints. They are added up as what they become, modulo a power of two: in less memory, and in the
// destination itself where one thread adds.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename T>
inline constexpr bool is_whole_number_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// Whether E, a sum by index, is added up as the elements of D: memory of other whole numbers,
/// which are no wider.
template <typename E, typename D>
inline constexpr bool sums_as_narrower_v = false;
template <typename S, typename Indices, typename P, typename T>
  requires is_whole_number_v<T> && is_whole_number_v<element_t<S>>
inline constexpr bool sums_as_narrower_v<reduced_by_index<plus, S, Indices, P>, sequence<T>> = [] {
  using sum = typename reduced_by_index<plus, S, Indices, P>::value_type;
  return is_whole_number_v<sum> && sizeof(T) >= sizeof(int) && sizeof(T) <= sizeof(sum) &&
         !std::is_same_v<T, sum>;
}();

template <typename T>
struct as_number {
  template <typename U>
  [[nodiscard]] constexpr T operator()(U value) const {
    return static_cast<T>(value);
  }
};

/// work(e, destination), with unsigned numbers as wide as the destination's.
template <typename E, typename T, typename Work>
void add_as_narrower(const E& e, const sequence<T>& destination, const Work& work) {
  using number = std::make_unsigned_t<T>;
  const auto narrower = reduce_by_index(plus{}, map(as_number<number>{}, e.source), e.indices,
                                        e.bins, static_cast<number>(e.seed));
  work(narrower,
       sequence<number>(reinterpret_cast<number*>(destination.data()), destination.size()));
}

}  // namespace fettle::ndp::host::detail
