// epilogue: a map over the reductions of rows, fused into the stores of their results.
//
//   map(f, map(row -> reduce(op, row, p), rows), s2, ..., sn)  into y
//
// is the map > reduce over `rows` into a destination whose element i takes
// f(value, s2[i], ..., sn[i]) where a value is assigned: one kernel or loop, by any schedule of the
// reduction, and no memory for the values. Without it a thread would reduce each row by itself.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// A map whose function returns a reduction to one value.
template <typename S>
inline constexpr bool maps_to_reductions_v = false;
template <typename F, typename... S>
inline constexpr bool maps_to_reductions_v<transformed_sequence<F, S...>> =
    scalar_reduce_node<typename transformed_sequence<F, S...>::value_type>;

template <typename S>
struct reduced_value_of {
  using type = element_t<S>;
};
template <typename S>
  requires maps_to_reductions_v<S>
struct reduced_value_of<S> {
  using type = const typename S::value_type::value_type&;
};

/// E is a map over exactly one sequence of reductions, and its function takes their values.
template <typename E>
inline constexpr bool has_epilogue_v = false;
template <typename F, typename... S>
  requires((0 + ... + int{maps_to_reductions_v<S>}) == 1)
inline constexpr bool has_epilogue_v<transformed_sequence<F, S...>> = [] {
  if constexpr (std::is_invocable_v<const F&, typename reduced_value_of<S>::type...>) {
    using result =
        std::remove_cvref_t<std::invoke_result_t<const F&, typename reduced_value_of<S>::type...>>;
    return !std::is_void_v<result> && !operation<result> && !sequence_like<result>;
  } else {
    return false;
  }
}();

/// Which of the sources are the reductions.
template <typename... S>
inline constexpr std::size_t reductions_index_v = [] {
  const bool found[] = {maps_to_reductions_v<S>...};
  std::size_t index = 0;
  while (!found[index]) ++index;
  return index;
}();

}  // namespace detail

/// Element i of a destination with an epilogue: to take x is to store f(..., x, ...) where x is
/// argument Index and the others are elements i of the other sources.
template <typename F, std::size_t Index, typename Target, typename... Others>
struct epilogue_element {
  const F& function;
  const tuple<Others...>& others;
  Target target;
  index_t i;

  template <typename Value>
  FETTLE_HOST_DEVICE constexpr void take(const Value& value) const {
    take(value, std::make_index_sequence<sizeof...(Others) + 1>{});
  }

 private:
  template <std::size_t K, typename Value>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr decltype(auto) argument(const Value& value) const {
    if constexpr (K == Index) {
      return (value);
    } else {
      return get<(K < Index ? K : K - 1)>(others)[i];
    }
  }
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Value, std::size_t... Ks>
  FETTLE_HOST_DEVICE constexpr void take(const Value& value,
                                         std::index_sequence<Ks...> /*arguments*/) const {
    Target to = target;
    store<Target>(static_cast<Target&&>(to), function(argument<Ks>(value)...));
  }
};

/// A destination that applies f to what is stored in it.
template <typename F, std::size_t Index, random_access D, random_access... Others>
struct epilogue_destination {
  using value_type = typename D::value_type;

  F function;
  D destination;
  tuple<Others...> others;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return destination.size(); }

  FETTLE_HOST_DEVICE constexpr auto operator[](index_t i) const {
    return epilogue_element<F, Index, element_t<D>, Others...>{function, others, destination[i], i};
  }
};

namespace detail {

template <typename F, std::size_t Index, typename Target, typename... Others>
inline constexpr bool assignable_v<epilogue_element<F, Index, Target, Others...>> =
    assignable_v<Target>;

/// The map > reduce in `e`.
template <typename F, typename... S>
[[nodiscard]] constexpr const auto& reductions_of(const transformed_sequence<F, S...>& e) {
  return get<reductions_index_v<S...>>(e.sources);
}

/// Where it goes: to `destination`, through the function of `e`.
template <typename F, typename... S, typename D>
[[nodiscard]] constexpr auto through_epilogue(const transformed_sequence<F, S...>& e,
                                              const D& destination) {
  constexpr std::size_t index = reductions_index_v<S...>;
  const auto with = [&]<typename... Others>(const Others&... others) {
    return epilogue_destination<F, index, D, Others...>{e.function, destination,
                                                        tuple_of<Others...>(others...)};
  };
  return [&]<std::size_t... Ks>(std::index_sequence<Ks...> /*others*/) {
    return with(get<(Ks < index ? Ks : Ks + 1)>(e.sources)...);
  }(std::make_index_sequence<sizeof...(S) - 1>{});
}

}  // namespace detail

}  // namespace fettle::ndp
