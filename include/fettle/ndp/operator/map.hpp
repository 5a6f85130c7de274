// map(f, s1, ..., sn): the sequence (f(s1[0], ..., sn[0]), f(s1[1], ..., sn[1]), ...).
//
// Nothing is computed until a consumer asks for an element; as an argument of another operator a
// map is fused into its loop. Where f returns an operator, map is the outer level of a nested
// computation; where it computes several things of a row, one from another, it is a row program
// (row_function.hpp).
#pragma once

#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// What an element of a map is. std::identity and the like return an rvalue reference to their
// argument, which is gone by then.
template <typename Result>
using mapped_t =
    std::conditional_t<std::is_rvalue_reference_v<Result>, std::remove_reference_t<Result>, Result>;

}  // namespace detail

template <typename F, random_access... S>
struct transformed_sequence {
  using operator_type = op::map;
  using inner_type = detail::mapped_t<std::invoke_result_t<const F&, element_t<S>...>>;
  using value_type = std::remove_cvref_t<inner_type>;

  F function;
  tuple<S...> sources;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return get<0>(sources).size(); }

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  FETTLE_HOST_DEVICE constexpr inner_type operator[](index_t i) const {
    check_index("map", i, size());
    return at(i, std::index_sequence_for<S...>{});
  }

 private:
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <std::size_t... Is>
  FETTLE_HOST_DEVICE constexpr inner_type at(index_t i, std::index_sequence<Is...>) const {
    // Such a source, a halo, calls the function itself, as it knows more of its elements.
    if constexpr (requires { std::remove_cvref_t<decltype(get<0>(sources))>::applies_functions; }) {
      return get<0>(sources).apply(
          [&](const auto& first) -> inner_type {
            return with_first(first, i, std::make_index_sequence<sizeof...(S) - 1>{});
          },
          i);
    } else {
      return function(get<Is>(sources)[i]...);
    }
  }
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename First, std::size_t... Is>
  FETTLE_HOST_DEVICE constexpr inner_type with_first(const First& first, [[maybe_unused]] index_t i,
                                                     std::index_sequence<Is...> /*others*/) const {
    return function(first, get<Is + 1>(sources)[i]...);
  }
};

namespace detail {

template <typename F, typename... S>
  requires(is_bound_v<S> || ...)
struct without_teams<transformed_sequence<F, S...>> {
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr auto of(
      const transformed_sequence<F, S...>& s) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return transformed_sequence<F, without_teams_t<S>...>{
          s.function, tuple_of<without_teams_t<S>...>(unbound(get<Is>(s.sources))...)};
    }(std::index_sequence_for<S...>{});
  }
};

/// E is a map whose function is a row program.
template <typename E>
inline constexpr bool is_map_of_programs_v = false;
template <typename F, typename... S>
inline constexpr bool is_map_of_programs_v<transformed_sequence<F, S...>> = is_row_function_v<F>;

/// The map of a row program, its rows bound to another team.
template <typename Team, typename F, typename Before, typename... S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto with_team(
    const transformed_sequence<row_function<F, Before>, S...>& e) {
  return transformed_sequence<row_function<F, Team>, S...>{{e.function.function}, e.sources};
}

template <typename E>
inline constexpr bool is_sized_map_v = false;
template <typename F, typename... S>
inline constexpr bool is_sized_map_v<transformed_sequence<row_function<F, sizing_team>, S...>> =
    true;

// Whether map may be built, and a sentence where not, instead of pages of failed constraints.
template <typename F, typename... S>
FETTLE_HOST_DEVICE constexpr bool check_map() {
  constexpr bool sequences = (random_access<S> && ...);
  constexpr bool any = sizeof...(S) > 0;
  constexpr bool in_order = !sequence_like<F>;
  static_assert(any && in_order, "map: give the sequences after the function: map(f, s1, ..., sn)");
  static_assert(sequences || !in_order,
                "map: every argument after the function must be a sequence with a subscript; make "
                "one with make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (any_invalid_v<S...>) {
    return false;
  } else if constexpr (any && in_order && sequences) {
    if constexpr (is_row_program_v<F, S...>) {
      return true;  // it may be no function of rows without a team
    } else {
      // Not in a separate constant: compilers show the types of a condition that is written here.
      static_assert(std::is_invocable_v<const F&, element_t<S>...>,
                    "map: the function cannot be called with one element of each sequence "
                    "(operator() must be const; rows and results are temporaries, to be taken by "
                    "value or const&; where nvcc compiles it must be a FETTLE_HOST_DEVICE function "
                    "object or a __host__ __device__ lambda)");
      if constexpr (std::is_invocable_v<const F&, element_t<S>...>) {
        return !any_invalid_v<std::invoke_result_t<const F&, element_t<S>...>>;
      }
    }
  }
  return false;
}

}  // namespace detail

/// Cost of an element: one call of f. The function is copied into the expression; on CUDA it has to
/// be callable in kernels.
template <typename F, typename... S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto map(F function, const S&... sources) {
  if constexpr (detail::check_map<F, S...>()) {
    check_same_sizes("map", sources...);
    using team = typename detail::first_team<S...>::type;
    if constexpr (requires { team::map(function, sources...); }) {
      return team::map(function, sources...);
    } else if constexpr (detail::is_row_program_v<F, S...>) {
      return transformed_sequence<row_function<F>, S...>{{function}, tuple_of<S...>(sources...)};
    } else {
      return transformed_sequence<F, S...>{function, tuple_of<S...>(sources...)};
    }
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) == 0)
FETTLE_HOST_DEVICE constexpr invalid_expression map(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) > 0,
                "map: takes a function and one or more sequences, map(function, sequence)");
  return {};
}

}  // namespace fettle::ndp
