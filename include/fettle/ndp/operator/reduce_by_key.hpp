// reduce_by_key(op, s, k, p): for every run of equal keys, p op (all elements of s in the run).
//
// The i-th element of the result is that of the i-th run, as in Thrust: keys that do not occur
// leave no gap. The result has as many elements as k has runs, which only reading k tells.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// What reduce_by_key and runs_by_key are made of. size() counts the elements that go in, not the
/// runs that come out.
template <typename Op, random_access S, random_access K, typename P>
struct reduction_of_runs {
  using sum_type = accumulator_t<Op, S, P>;
  using key_type = std::remove_cvref_t<element_t<K>>;

  Op op;
  S source;
  K keys;
  P seed;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return keys.size(); }
};

}  // namespace detail

/// Where the elements are sequences (points) and op maps over two of them, the seed is a sequence
/// too: reduce_by_key > map.
template <typename Op, random_access S, random_access K, typename P>
struct reduced_by_key : detail::reduction_of_runs<Op, S, K, P> {
  using operator_type = op::reduce_by_key;
  using inner_type = accumulator_t<Op, S, P>;
  using value_type = inner_type;
};

/// E is a reduce_by_key.
template <typename E>
inline constexpr bool is_reduced_by_key_v = false;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool is_reduced_by_key_v<reduced_by_key<Op, S, K, P>> = true;

/// Cost: one call of op and one comparison of keys (==) an element.
template <typename Op, typename S, typename K, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce_by_key(Op op, const S& source, const K& keys,
                                                              P seed) {
  constexpr bool keys_are_sequence = random_access<K>;
  static_assert(keys_are_sequence,
                "reduce_by_key: the keys must be a sequence with a subscript; make one with "
                "make_sequence");
  if constexpr (!keys_are_sequence || detail::any_invalid_v<K>) {
    return invalid_expression{};
  } else if constexpr (detail::check_reduction<Op, S, P>()) {
    constexpr bool compares = requires { keys[index_t{}] == keys[index_t{}]; };
    static_assert(compares, "reduce_by_key, runs_by_key, run_lengths: keys have no operator ==");
    if constexpr (compares) {
      check_same_size("reduce_by_key", source.size(), keys.size());
      return reduced_by_key<Op, S, K, P>{op, source, keys, seed};
    } else {
      return invalid_expression{};
    }
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error; mostly the seed is missing.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 4)
FETTLE_HOST_DEVICE constexpr invalid_expression reduce_by_key(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 4,
                "reduce_by_key: takes four arguments, reduce_by_key(operator, sequence, keys, "
                "seed); the seed, which must not be left out, is what each key's reduction begins "
                "with, such as 0.0 for plus");
  return {};
}

}  // namespace fettle::ndp
