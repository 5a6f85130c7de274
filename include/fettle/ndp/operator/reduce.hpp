// reduce(op, s, p): the value p op s[0] op s[1] op ... for an associative operator.
//
// A lazy scalar: a consumer, or execute, evaluates it by whatever schedule it has; read as a value
// it is evaluated serially on the spot. Order is kept for operators that are not commutative.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename Op, typename S, typename P>
FETTLE_HOST_DEVICE constexpr bool check_reduction() {
  static_assert(random_access<S>,
                "reduce, scan, reduce_by_key: the source must be a sequence with a subscript; make "
                "one with make_sequence, and realise a scan first");
  static_assert(is_associative_v<Op>,
                "reduce, scan, reduce_by_key: this operator is marked as not associative "
                "(is_associative = false), so its result depends on the order of evaluation; map "
                "and reduce by one that is associative, as plus over negate");
  if constexpr (random_access<S> && is_associative_v<Op>) {
    constexpr bool callable = std::is_invocable_v<const Op&, P, element_t<S>>;
    static_assert(callable,
                  "reduce, scan, reduce_by_key: the operator cannot be called with the seed and an "
                  "element of the source (its operator() must be const)");
    return callable;
  } else {
    return false;
  }
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

/// Cost: one call of op an element.
template <typename Op, typename S, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce(Op op, const S& source, P seed) {
  if constexpr (detail::check_reduction<Op, S, P>()) {
    return reduced<Op, S, P>{op, source, seed};
  }
}

}  // namespace fettle::ndp
