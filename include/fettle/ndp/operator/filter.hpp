// filter(f, s): the elements x of s for which f(x) is true, in their order.
// partition(f, s): these, and behind them the others, both in their order.
// unique(s): the first element of each run of equal neighbours.
//
// How many elements are kept only reading s tells: execute returns it (ndp::counted: without
// waiting for a GPU).
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// size() counts the elements that go in, not those that come out.
template <typename F, random_access S, operator_tag Tag>
struct selected_sequence {
  using operator_type = Tag;
  using value_type = std::remove_cv_t<typename S::value_type>;

  /// Whether the elements that are not kept follow those that are.
  static constexpr bool is_partition = std::is_same_v<Tag, op::partition>;

  F function;
  S source;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }

  /// Whether element i, which is `x`, is kept.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename X>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool keeps([[maybe_unused]] index_t i,
                                                        const X& x) const {
    if constexpr (std::is_same_v<Tag, op::unique>) {
      return i == 0 || !(source[i - 1] == x);
    } else {
      return static_cast<bool>(function(x));
    }
  }
};

/// E is a filter, a partition or a unique.
template <typename E>
inline constexpr bool is_selected_v = false;
template <typename F, typename S, typename Tag>
inline constexpr bool is_selected_v<selected_sequence<F, S, Tag>> = true;

namespace detail {

/// Whether filter, partition or unique may be built, and a sentence where not.
template <typename S>
FETTLE_HOST_DEVICE constexpr bool check_selected() {
  constexpr bool is_sequence = random_access<S>;
  static_assert(is_sequence,
                "filter, partition, unique: the source must be a sequence with a subscript; make "
                "one with make_sequence, and realise a scan first");
  if constexpr (is_sequence && !any_invalid_v<S>) {
    constexpr bool has_values = !nested<S> && !operation<typename S::value_type>;
    static_assert(has_values,
                  "filter, partition, unique: the elements of the source are rows or computations; "
                  "execute those into memory first and select indices, as filter(f, range(0, n))");
    return has_values;
  }
  return false;
}

template <typename Tag, typename F, typename S>
FETTLE_HOST_DEVICE constexpr auto selected(const F& function, const S& source) {
  constexpr bool in_order = !sequence_like<F>;
  static_assert(in_order,
                "filter, partition: the function comes first, then the sequence: "
                "filter(function, sequence)");
  if constexpr (!in_order) {
    return invalid_expression{};
  } else if constexpr (check_selected<S>()) {
    using value = std::remove_cv_t<typename S::value_type>;
    constexpr bool decides = requires(const F& f, const value& x) { static_cast<bool>(f(x)); };
    static_assert(decides,
                  "filter, partition: the function must take an element of the source and return "
                  "whether it is kept, as a bool (its operator() must be const)");
    if constexpr (decides) {
      return selected_sequence<F, S, Tag>{function, source};
    } else {
      return invalid_expression{};
    }
  } else {
    return invalid_expression{};
  }
}

}  // namespace detail

/// Cost: one call of f an element.
template <typename F, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto filter(F function, const S& source) {
  return detail::selected<op::filter>(function, source);
}

/// Cost: a call of f an element, two on several threads. The destination may not be the source.
template <typename F, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto partition(F function, const S& source) {
  return detail::selected<op::partition>(function, source);
}

/// Cost: one comparison (==) an element. On the host the source may not be overwritten.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto unique(const S& source) {
  if constexpr (detail::check_selected<S>()) {
    constexpr bool compares = requires { source[index_t{}] == source[index_t{}]; };
    static_assert(compares, "unique: the elements of the source have no operator ==");
    if constexpr (compares) {
      return selected_sequence<identity, S, op::unique>{identity{}, source};
    } else {
      return invalid_expression{};
    }
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression filter(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "filter: takes two arguments, filter(function, sequence)");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression partition(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "partition: takes two arguments, partition(function, sequence)");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) != 1)
FETTLE_HOST_DEVICE constexpr invalid_expression unique(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 1,
                "unique: takes one argument, unique(sequence); neighbours are compared by ==");
  return {};
}

}  // namespace fettle::ndp
