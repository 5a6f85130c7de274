// runs_by_key(op, s, k, p): for every run of equal keys the tuple of its key and of
// p op (all elements of s in the run). run_lengths(k): the tuples of keys and lengths.
//
// A reduce_by_key whose keys and number of runs are found in the same pass; execute returns the
// number, and the destination is a zip of two sequences.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <typename Op, random_access S, random_access K, typename P>
struct keyed_runs : detail::reduction_of_runs<Op, S, K, P> {
  using operator_type = op::runs_by_key;
  using value_type = tuple<std::remove_cvref_t<element_t<K>>, accumulator_t<Op, S, P>>;
};

/// E is a runs_by_key.
template <typename E>
inline constexpr bool is_keyed_runs_v = false;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool is_keyed_runs_v<keyed_runs<Op, S, K, P>> = true;

/// Its kernels are those of a reduce_by_key.
template <typename Op, typename S, typename K, typename P>
inline constexpr bool is_reduced_by_key_v<keyed_runs<Op, S, K, P>> = true;

/// Cost: one call of op and one comparison of keys (==) an element.
template <typename Op, typename S, typename K, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto runs_by_key(Op op, const S& source, const K& keys,
                                                            P seed) {
  using by_key = decltype(reduce_by_key(op, source, keys, seed));
  if constexpr (detail::any_invalid_v<by_key>) {
    return invalid_expression{};
  } else {
    constexpr bool has_values = !sequence_like<typename by_key::value_type>;
    static_assert(has_values,
                  "runs_by_key: the elements are rows; reduce_by_key adds up rows, and "
                  "run_lengths(keys) has the keys");
    if constexpr (has_values) {
      check_same_size("runs_by_key", source.size(), keys.size());
      return keyed_runs<Op, S, K, P>{op, source, keys, seed};
    } else {
      return invalid_expression{};
    }
  }
}

/// Lengths are index_t. Cost: one comparison of keys (==) an element.
template <typename K>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto run_lengths(const K& keys) {
  if constexpr (random_access<K> && !detail::any_invalid_v<K>) {
    return runs_by_key(plus{}, replicate(index_t{1}, keys.size()), keys, index_t{0});
  } else {
    return runs_by_key(plus{}, replicate(index_t{1}, 0), keys, index_t{0});  // which is an error
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 4)
FETTLE_HOST_DEVICE constexpr invalid_expression runs_by_key(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 4,
                "runs_by_key: takes four arguments, runs_by_key(operator, sequence, keys, seed); "
                "the seed is what each reduction of a run begins with, such as 0.0 for plus");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) != 1)
FETTLE_HOST_DEVICE constexpr invalid_expression run_lengths(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 1, "run_lengths: takes one argument, run_lengths(keys)");
  return {};
}

}  // namespace fettle::ndp
