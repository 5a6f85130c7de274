// row_function: a function of rows that is a row program, and how map finds out that one is.
//
// map calls the function, in types only, with rows that are bound to a probing team. What a reduce
// yields there converts to its value like any reduce, and the conversion leaves a mark. A function
// whose marks say that it computed something from a reduce's value, or that returns several
// reduces, is a row program; one that only returns a reduce, a scan or a map of its row is a
// level of the nested computation, as ever.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// A mark is the definition of a friend that this class only declares: instantiating mark_use<Tag>
// defines it, and a later question sees that. Where it stays undefined and Tag names a lambda, GCC
// from 13 on takes the friend for an unused static function.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
#endif
template <typename Tag>
struct use_of {
  friend constexpr auto is_marked(use_of<Tag>);
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif
template <typename Tag>
struct mark_use {
  friend constexpr auto is_marked(use_of<Tag> /*tag*/) { return true; }
  static constexpr bool value = true;
};

/// The marks of a function F of elements of S...: a reduce's value was used; a reduce yields an
/// object, whose members may be used unseen.
template <typename F, typename... S>
struct value_used {};
template <typename F, typename... S>
struct object_made {};

/// What a reduce yields while its function is probed.
template <typename T, typename F, typename... S>
struct probed_value {
  // Of a deduced type, so that what asks for the conversion instantiates it, and nothing else does.
  FETTLE_HOST_DEVICE constexpr operator auto() const {
    static_assert(mark_use<value_used<F, S...>>::value);
    const T* nowhere = nullptr;
    return T(*nowhere);
  }
};
template <typename T, typename F, typename... S>
  requires(std::is_class_v<T> && !std::is_final_v<T>)
struct probed_value<T, F, S...> : T {
  static constexpr bool is_object = true;
  static_assert(mark_use<object_made<F, S...>>::value);
};

template <typename T>
inline constexpr bool is_probed_value_v = false;
template <typename T, typename F, typename... S>
inline constexpr bool is_probed_value_v<probed_value<T, F, S...>> = true;

template <typename T>
inline constexpr bool holds_probed_value_v = false;
template <typename... Ts>
inline constexpr bool holds_probed_value_v<tuple<Ts...>> = (is_probed_value_v<Ts> || ...);

/// A team in types only: nothing of it ever runs.
template <typename F, typename... S>
struct probing_team {
  template <typename Op, typename Source, typename P>
  static FETTLE_HOST_DEVICE constexpr auto reduce(const Op& /*op*/, const Source& /*source*/,
                                                  const P& /*seed*/) {
    using value = probed_value<accumulator_t<Op, Source, P>, F, S...>;
    if constexpr (std::is_default_constructible_v<value>) {
      return value();  // made in place: clang asks for the conversion when it copies
    } else {
      const value* nowhere = nullptr;
      return *nowhere;
    }
  }
};

/// What a function is given for one element of S: rows are bound to Team.
template <typename S, typename Team>
struct bound_element {
  using type = element_t<S>;
};
template <nested S, typename Team>
  requires(random_access<element_t<S>> && std::is_class_v<std::remove_cvref_t<element_t<S>>> &&
           !std::is_final_v<std::remove_cvref_t<element_t<S>>>)
struct bound_element<S, Team> {
  using type = bound_row<std::remove_cvref_t<element_t<S>>, Team>;
};
template <typename S, typename Team>
using bound_element_t = typename bound_element<S, Team>::type;

template <typename Tag>
[[nodiscard]] consteval bool has_mark() {
  return requires { is_marked(use_of<Tag>{}); };
}

/// A function says that it is a row program: where it states its return type, C++ does not look
/// into it for the type's sake, and neither can the probe.
template <typename F>
concept says_row_program = F::is_row_program;

/// Whether F, called with elements of S..., is a row program.
template <typename F, typename... S>
[[nodiscard]] consteval bool probe_function() {
  using team = probing_team<F, S...>;
  if constexpr (!(nested<S> || ...) || (is_bound_v<S> || ...)) {
    return false;
  } else if constexpr (!std::is_invocable_v<const F&, bound_element_t<S, team>...>) {
    return false;
  } else {
    using result = std::remove_cvref_t<std::invoke_result_t<const F&, bound_element_t<S, team>...>>;
    if constexpr (std::is_void_v<result>) {
      return false;
    } else if constexpr (says_row_program<F>) {
      return true;
    } else if constexpr (holds_probed_value_v<result>) {
      return true;
    } else if constexpr (is_probed_value_v<result> && std::is_class_v<result> &&
                         requires { result::is_object; }) {
      return has_mark<value_used<F, S...>>();
    } else {
      return has_mark<value_used<F, S...>>() || has_mark<object_made<F, S...>>();
    }
  }
}

template <typename F, typename... S>
inline constexpr bool is_row_program_v = probe_function<F, S...>();

/// One thread: reads the row as often as the function does.
struct single_thread {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr auto reduce(const Op& op, const S& source,
                                                                const P& seed) {
    return reduced<Op, without_teams_t<S>, P>{op, unbound(source), seed}.evaluate();
  }
};

/// Reads no element: what the function makes is as long as it will be.
struct sizing_team {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr auto reduce(const Op& /*op*/,
                                                                const S& /*source*/,
                                                                const P& seed) {
    return static_cast<accumulator_t<Op, S, P>>(seed);
  }
};

}  // namespace detail

/// F, called with its rows bound to Team. A function object like others: it is what the map of a
/// row program holds.
template <typename F, typename Team = detail::single_thread>
struct row_function {
  F function;

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename... Elements>
  FETTLE_HOST_DEVICE constexpr auto operator()(Elements&&... elements) const {
    using result = std::invoke_result_t<const F&, bound_t<Elements>...>;
    if constexpr (requires { Team::template begin_row<result>(); }) {
      Team::template begin_row<result>();
    }
    if constexpr (std::is_void_v<result>) {
      function(bound(static_cast<Elements&&>(elements))...);
    } else {
      return detail::yielded<std::remove_cvref_t<result>>::of(
          function(bound(static_cast<Elements&&>(elements))...));
    }
  }

 private:
  template <typename E>
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr decltype(auto) bound(E&& element) {
    using value = std::remove_cvref_t<E>;
    if constexpr (random_access<value> && std::is_class_v<value> && !std::is_final_v<value>) {
      return detail::bound_row<value, Team>(element);
    } else {
      return static_cast<E&&>(element);
    }
  }
  template <typename E>
  using bound_t = decltype(bound(std::declval<E>()));
};

namespace detail {

template <typename F>
inline constexpr bool is_row_function_v = false;
template <typename F, typename Team>
inline constexpr bool is_row_function_v<row_function<F, Team>> = true;

}  // namespace detail

}  // namespace fettle::ndp
