// approximated: what the knobs of a policy (schedule/knobs.hpp) make of a computation, before a
// kernel sees it. No kernel knows of them, and an exact computation passes through nothing.
//
//   knob                  of                   makes
//   sample=k              reduce(op, s, p)     reduce(op, every k-th tile of s, p); where op adds,
//                                              each element stands for those that are left out, too
//   accumulation=single   reduce(op, s, p)     reduce(op, s as floats, p as a float)
//   perforate=k           map(f, s...) into y  map(f, every k-th of s...), each result into k
//                                              elements of y
//
// In a map of reductions the first two act on each reduction. knob_checks.hpp says which knobs a
// computation has.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/sampled.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// An element of a sample, as a T times how many elements it stands for.
template <typename T>
struct rescaled {
  T factor;
  template <typename X>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr T operator()(const X& x) const {
    return static_cast<T>(x) * factor;
  }
};

template <typename T>
struct converted {
  template <typename X>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr T operator()(const X& x) const {
    return static_cast<T>(x);
  }
};

template <typename F, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr transformed_sequence<F, S> mapped_by(F function,
                                                                                const S& source) {
  return {function, tuple_of<S>(source)};
}

/// The reduction of a sample, in this precision.
template <knobs K, typename Op, typename S, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto approximated_reduce(const reduced<Op, S, P>& e) {
  using value =
      std::conditional_t<K.accumulation == precision::single, float, accumulator_t<Op, S, P>>;
  const auto over = [&]<typename Source>(const Source& source) {
    return reduced<Op, Source, value>{e.op, source, static_cast<value>(e.seed)};
  };
  if constexpr (K.sample > 1) {
    const auto some = sampled(e.source, K.sample);
    if constexpr (is_additive_v<Op>) {
      const index_t read = some.size() > 0 ? some.size() : 1;
      const auto factor =
          static_cast<value>(static_cast<double>(e.source.size()) / static_cast<double>(read));
      return over(mapped_by(rescaled<value>{factor}, some));
    } else {
      return over(mapped_by(converted<value>{}, some));
    }
  } else {
    return over(mapped_by(converted<value>{}, e.source));
  }
}

/// The function of a map of reductions of rows, with each reduction approximated.
template <knobs K, typename F>
struct approximated_rows {
  F function;
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename... Rows>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator()(const Rows&... rows) const {
    return approximated_reduce<K>(function(rows...));
  }
};

/// A result into several elements.
template <typename D>
struct repeated_element {
  const D& destination;
  index_t first;
  index_t last;

  template <typename Value>
  FETTLE_HOST_DEVICE constexpr void take(const Value& value) const {
    for (index_t i = first; i < last; ++i) store<element_t<D>>(destination[i], value);
  }
};

/// A destination of every stride-th result of `count`, which the results between repeat.
template <random_access D>
struct repeated_destination {
  using value_type = typename D::value_type;

  D destination;
  index_t stride;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    return ceiling_quotient(count, stride);
  }
  FETTLE_HOST_DEVICE constexpr repeated_element<D> operator[](index_t i) const {
    const index_t first = i * stride;
    return {destination, first, first + stride < count ? first + stride : count};
  }
};

template <typename D>
inline constexpr bool assignable_v<repeated_element<D>> = true;

/// The function of the map, whose reductions are approximated where K says so.
template <knobs K, typename F>
using approximated_function_t =
    std::conditional_t<K.sample == 1 && K.accumulation == precision::full, F,
                       approximated_rows<K, F>>;

template <knobs K, typename F, typename... S, std::size_t... Is>
[[nodiscard]] constexpr auto perforated_map(const transformed_sequence<F, S...>& e,
                                            std::index_sequence<Is...> /*sources*/)
    -> transformed_sequence<approximated_function_t<K, F>, strided_sequence<S>...> {
  return {{e.function},
          tuple_of<strided_sequence<S>...>(striding(get<Is>(e.sources), K.perforate)...)};
}

/// What the map becomes; its type is written, because nvcc registers a kernel of another type than
/// the one that is launched where a lambda of the processor's returns it.
template <knobs K, typename F, typename... S>
  requires(K.perforate > 1)
[[nodiscard]] constexpr auto approximated_map(const transformed_sequence<F, S...>& e)
    -> transformed_sequence<approximated_function_t<K, F>, strided_sequence<S>...> {
  return perforated_map<K>(e, std::index_sequence_for<S...>{});
}
template <knobs K, typename F, typename... S>
  requires(K.perforate <= 1)
[[nodiscard]] constexpr auto approximated_map(const transformed_sequence<F, S...>& e)
    -> transformed_sequence<approximated_function_t<K, F>, S...> {
  return {{e.function}, e.sources};
}

}  // namespace detail

/// `e` with the knobs K; check_knobs<K, E>() holds.
template <knobs K, typename E>
[[nodiscard]] constexpr auto approximated(const E& e) {
  if constexpr (is_reduced_v<E>) {
    return detail::approximated_reduce<K>(e);
  } else {
    return detail::approximated_map<K>(e);
  }
}

/// Where its results go.
template <knobs K, typename E, typename D>
[[nodiscard]] constexpr auto approximated_destination(const E& e, const D& destination) {
  if constexpr (K.perforate > 1 && random_access<D>) {
    return detail::repeated_destination<D>{destination, K.perforate, e.size()};
  } else {
    return destination;
  }
}

}  // namespace fettle::ndp
