// reduce(op, s, p): the value p op s[0] op s[1] op ... for an associative operator.
//
// A lazy scalar: a consumer, or execute, evaluates it by whatever schedule it has; read as a value
// it is evaluated serially on the spot. Order is kept for operators that are not commutative. In a
// row program (row_function.hpp) a reduce of the row is its value, computed by the row's team.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>  // operators to reduce by: plus, minimum ...
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// Whether values of type T, which the operator made of the seed and an element, combine with
/// further elements.
template <typename Op, typename S, typename P, typename T>
[[nodiscard]] consteval bool accumulates() {
  if constexpr (sequence_like<T>) {
    return true;  // rows: what a row is combined with has another type each time
  } else if constexpr (std::is_invocable_v<const Op&, T, element_t<S>> &&
                       requires(const P& seed) { static_cast<T>(seed); }) {
    return requires(std::invoke_result_t<const Op&, T, element_t<S>> next) {
      static_cast<T>(next);
    };
  } else {
    return false;
  }
}

/// Whether reduce, scan or reduce_by_key may be built, and a sentence where not.
template <typename Op, typename S, typename P>
FETTLE_HOST_DEVICE constexpr bool check_reduction() {
  constexpr bool in_order = !sequence_like<Op>;
  constexpr bool source_is_sequence = random_access<S>;
  constexpr bool associative = is_associative_v<Op>;
  static_assert(in_order,
                "reduce, scan, reduce_by_key: the operator comes first, then the sequence and the "
                "seed: reduce(operator, sequence, seed)");
  static_assert(source_is_sequence || !in_order,
                "reduce, scan, reduce_by_key: the source must be a sequence with a subscript; make "
                "one with make_sequence, and realise a scan first");
  static_assert(associative,
                "reduce, scan, reduce_by_key: this operator is marked as not associative "
                "(is_associative = false), so its result depends on the order of evaluation; map "
                "and reduce by one that is associative, as plus over negate");
  if constexpr (in_order && source_is_sequence && associative && !any_invalid_v<Op, S, P>) {
    constexpr bool callable = std::is_invocable_v<const Op&, P, element_t<S>>;
    static_assert(callable,
                  "reduce, scan, reduce_by_key: the operator cannot be called with the seed and an "
                  "element of the source (its operator() must be const)");
    if constexpr (callable) {
      using value = std::remove_cvref_t<std::invoke_result_t<const Op&, P, element_t<S>>>;
      constexpr bool combines = any_invalid_v<value> || accumulates<Op, S, P, value>();
      static_assert(combines,
                    "reduce, scan, reduce_by_key: the operator makes of the seed and an element a "
                    "value to which the seed does not convert, or that does not combine with "
                    "further elements; give a seed of the elements' type");
      return combines && !any_invalid_v<value>;
    }
  }
  return false;
}

/// What two elements of S combine to: bytes add up in int, as everywhere in C++.
template <typename Op, typename S>
using combined_t = std::remove_cvref_t<std::invoke_result_t<const Op&, element_t<S>, element_t<S>>>;

/// Whether a reduction of S may do without a seed, and a sentence where not. Of a row bound to a
/// team none: the function is also looked at with the row itself, which says it once.
template <typename Op, typename S>
FETTLE_HOST_DEVICE constexpr bool check_seedless() {
  if constexpr (random_access<S> && !sequence_like<Op> && !any_invalid_v<Op, S>) {
    constexpr bool combines = std::is_invocable_v<const Op&, element_t<S>, element_t<S>>;
    static_assert(combines || is_bound_v<S>,
                  "reduce, scan, inclusive_scan: the operator cannot be called with two elements "
                  "of the source (its operator() must be const), so that they need a seed of the "
                  "result's type: reduce(operator, sequence, seed)");
    if constexpr (combines) {
      constexpr bool has_identity = has_identity_v<Op, combined_t<Op, S>>;
      static_assert(has_identity || is_bound_v<S>,
                    "reduce, scan, inclusive_scan: without a seed they begin with the operator's "
                    "identity, which is not known for this operator and these elements; give a "
                    "seed, reduce(operator, sequence, seed), or the operator a member template "
                    "<typename T> static constexpr T identity()");
      return has_identity;
    }
  }
  return false;
}

}  // namespace detail

/// The type in which a reduction with this operator, source and seed accumulates: what the operator
/// makes of the seed and an element, so that an int seed does not truncate doubles.
template <typename Op, typename S, typename P>
using accumulator_t = std::remove_cvref_t<std::invoke_result_t<const Op&, P, element_t<S>>>;

template <typename Op, random_access S, typename P>
struct reduced {
  using operator_type = op::reduce;
  using inner_type = accumulator_t<Op, S, P>;
  using value_type = inner_type;

  Op op;
  S source;
  P seed;

  /// value = p; for (i) value = op(value, s[i]);
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr value_type evaluate() const
    requires(!sequence_like<value_type>)
  {
    auto value = static_cast<value_type>(seed);
    const index_t size = source.size();
    for (index_t i = 0; i < size; ++i) value = static_cast<value_type>(op(value, source[i]));
    return value;
  }

  FETTLE_HOST_DEVICE constexpr operator value_type() const
    requires(!sequence_like<value_type>)
  {
    return evaluate();
  }
};

/// E is a reduce.
template <typename E>
inline constexpr bool is_reduced_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool is_reduced_v<reduced<Op, S, P>> = true;

/// Cost: one call of op an element. (Inlined: in a row program it is a loop, of which the caller
/// knows the length.)
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Op, typename S, typename P>
[[nodiscard, gnu::always_inline]] FETTLE_HOST_DEVICE constexpr auto reduce(Op op, const S& source,
                                                                           P seed) {
  if constexpr (!detail::check_reduction<Op, S, P>()) {
    return invalid_expression{};
  } else if constexpr (detail::is_bound_v<S> && !sequence_like<accumulator_t<Op, S, P>>) {
    return detail::team_of_t<S>::reduce(op, source, seed);
  } else {
    return reduced<Op, S, P>{op, source, seed};
  }
}

/// The same of a map in a row program that nothing else reads.
template <typename Op, typename S, typename P>
  requires detail::is_pending_v<S>
[[nodiscard, gnu::always_inline]] FETTLE_HOST_DEVICE constexpr auto reduce(Op op, S&& source,
                                                                           P seed) {
  if constexpr (!detail::check_reduction<Op, S, P>()) {
    return invalid_expression{};
  } else if constexpr (!sequence_like<accumulator_t<Op, S, P>>) {
    return detail::team_of_t<S>::reduce_once(op, source, seed);
  } else {
    return reduced<Op, S, P>{op, source, seed};
  }
}

/// Begins with the operator's identity for what two elements combine to: 0 for plus.
template <typename Op, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce(Op op, const S& source) {
  if constexpr (!random_access<S>) {
    return reduce(op, source, 0);  // which is an error
  } else if constexpr (detail::check_seedless<Op, S>()) {
    return reduce(op, source, identity_v<Op, detail::combined_t<Op, S>>);
  } else {
    return invalid_expression{};
  }
}

template <typename Op, typename S>
  requires detail::is_pending_v<S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce(Op op, S&& source) {
  if constexpr (detail::check_seedless<Op, S>()) {
    return reduce(op, static_cast<S&&>(source), identity_v<Op, detail::combined_t<Op, S>>);
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression reduce(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "reduce: takes three arguments, reduce(operator, sequence, seed); the seed is what "
                "the result of no elements is, such as 0.0 for plus; left out, it is the "
                "operator's identity");
  return {};
}

}  // namespace fettle::ndp
