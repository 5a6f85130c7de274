// windows(s, k, [stride]): the nested sequence of s's windows of length k, which overlap:
//
//   row i = s[i * stride], s[i * stride + 1], ..., s[i * stride + k - 1]
//
// for as many i as fit into s: none where s is shorter than k. Nothing is copied.
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A stride of one is in the type, so that compilers see that neighbouring windows begin beside
/// each other in memory; so may be the length and other strides.
template <random_access S, number_like Length = index_t, number_like Stride = unit_stride>
struct windowed_sequence {
  using operator_type = op::windows;
  using value_type = decltype(subsequence(std::declval<const S&>(), index_t{}, index_t{}));

  S source;
  index_t count;
  Length length;
  Stride stride;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const {
    return detail::value_of_number(length);
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t i) const {
    check_index("windows", i, count);
    return subsequence(source, i * detail::value_of_number(stride), row_size());
  }
};

namespace detail {

template <typename N>
[[nodiscard]] consteval bool is_positive() {
  if constexpr (constant_number<N>) return N::value > 0;
  return true;
}

// Whether windows may be made, and a sentence where not.
template <typename S, typename Length, typename Stride>
[[nodiscard]] consteval bool check_windows() {
  constexpr bool sequences = random_access<S>;
  constexpr bool numbers = number_like<Length> && number_like<Stride>;
  static_assert(sequences,
                "windows: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  static_assert(numbers,
                "windows: the length and the stride must be integers, or integers in a type such "
                "as constant<5>{}");
  if constexpr (sequences && numbers) {
    constexpr bool positive = is_positive<Length>() && is_positive<Stride>();
    static_assert(positive,
                  "windows: the length and the stride have to be positive: a constant is not");
    return positive && !any_invalid_v<S>;
  }
  return false;
}

}  // namespace detail

/// (s.size() - k) / stride + 1 windows, none where s is shorter than k; k and the stride have to be
/// positive.
template <typename S, typename Length, typename Stride = unit_stride>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto windows(const S& source, Length length,
                                                        Stride stride = {}) {
  if constexpr (detail::check_windows<S, Length, Stride>()) {
    const index_t k = detail::value_of_number(length);
    const index_t step = detail::value_of_number(stride);
    require_at_least("windows", "the length has to be positive", k, 1);
    require_at_least("windows", "the stride has to be positive", step, 1);
    const index_t size = source.size();
    const index_t count = size < k ? 0 : (size - k) / step + 1;
    return windowed_sequence<S, detail::number_t<Length>, detail::number_t<Stride>>{
        source, count, detail::as_number(length), detail::as_number(stride)};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression windows(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "windows: takes two or three arguments, windows(sequence, length, stride); the "
                "stride is 1 where it is left out");
  return {};
}

}  // namespace fettle::ndp
