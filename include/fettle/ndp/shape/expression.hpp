// The expression sequence of a computation: which operators nest in which, read off the types.
//
// map(f, rows) whose f returns reduce(...) is expression<op::map, op::reduce>. Operators that are
// arguments (the gather and the map inside that reduce) are fused into their consumer and are
// not a level of the nesting (the paper's section 2 and the note on fusion in its section 4).
#pragma once

#include <tuple>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/epilogue.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename Op, typename Inner>
struct prepend;
template <typename Op, typename... Ops>
struct prepend<Op, expression<Ops...>> {
  using type = expression<Op, Ops...>;
};

template <typename E>
struct expression_of {
  using type = expression<>;
};

// What one element of E is; a node whose elements are computed has a member inner_type.
template <typename E>
struct inner {
  using type = void;
};
template <typename E>
  requires requires { typename E::inner_type; }
struct inner<E> {
  using type = std::remove_cvref_t<typename E::inner_type>;
};

/// An epilogue is not a level: it runs where a value is stored.
template <typename E>
struct without_epilogue {
  using type = E;
};
template <typename E>
  requires has_epilogue_v<E>
struct without_epilogue<E> {
  using type = std::remove_cvref_t<decltype(reductions_of(std::declval<const E&>()))>;
};

template <typename E>
  requires requires { typename E::operator_type; }
struct expression_of<E> {
  using type = typename prepend<typename E::operator_type,
                                typename expression_of<typename inner<E>::type>::type>::type;
};

/// What a row program does in its row is one level.
template <typename F, typename Team, typename... S>
struct expression_of<transformed_sequence<row_function<F, Team>, S...>> {
  using type = expression<op::map, op::row_program>;
};

}  // namespace detail

/// The operators of E's nesting levels, outermost first.
template <typename E>
using expression_of_t = typename detail::expression_of<
    typename detail::without_epilogue<std::remove_cvref_t<E>>::type>::type;

}  // namespace fettle::ndp
