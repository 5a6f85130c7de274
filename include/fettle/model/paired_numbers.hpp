// paired_numbers: sums of rows of numbers, and intersections of rows of bit masks, two columns at a
// time in a vector register where the compiler has vectors. Bit for bit what one column at a time
// yields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__SSE2_MATH__) || defined(__aarch64__))
using two_sums = double __attribute__((vector_size(16)));
using two_masks = std::uint64_t __attribute__((vector_size(16)));

/// As rounded(double), for both.
[[nodiscard]] inline two_sums both_rounded(two_sums sums) noexcept {
#ifdef __aarch64__
  asm("" : "+w"(sums));
#else
  asm("" : "+x"(sums));
#endif
  return sums;
}
#else
struct two_sums {
  double first;
  double second;
  friend two_sums operator+(two_sums a, two_sums b) noexcept {
    return {a.first + b.first, a.second + b.second};
  }
};
struct two_masks {
  std::uint64_t first;
  std::uint64_t second;
  friend two_masks operator&(two_masks a, two_masks b) noexcept {
    return {a.first & b.first, a.second & b.second};
  }
};

[[nodiscard]] inline two_sums both_rounded(two_sums sums) noexcept {
  return {rounded(sums.first), rounded(sums.second)};
}
#endif

/// From an address that is a multiple of what operator new aligns to.
template <typename Two, typename T>
[[nodiscard]] Two load_two(const T* from) noexcept {
  constexpr std::size_t alignment =
      std::min<std::size_t>(sizeof(Two), __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  Two two;
  std::memcpy(&two, std::assume_aligned<alignment>(from), sizeof two);
  return two;
}

/// Adds the rows of costs to sums that stay in registers, two in each, in the order of the rows.
/// `rows` are the indices of their first costs.
template <std::size_t... Pair>
void add_rows(const double* costs, std::span<const std::uint32_t> rows, double* sums,
              std::index_sequence<Pair...> /*pairs*/) noexcept {
  two_sums kept[sizeof...(Pair)] = {};
  for (const std::uint32_t row : rows) {
    const double* const from = costs + row;
    ((kept[Pair] = both_rounded(kept[Pair] + load_two<two_sums>(from + 2 * Pair))), ...);
  }
  (std::memcpy(sums + 2 * Pair, &kept[Pair], sizeof(two_sums)), ...);
}

/// The same for any even number of classes.
inline void add_all_rows(const double* costs, std::size_t classes,
                         std::span<const std::uint32_t> rows, double* sums) noexcept {
  for (std::size_t c = 0; c < classes;) {
    const auto add = [&]<std::size_t Pairs>() {
      add_rows(costs + c, rows, sums + c, std::make_index_sequence<Pairs>());
      c += 2 * Pairs;
    };
    const std::size_t left = classes - c;
    if (left >= 10) {
      add.template operator()<5>();
    } else if (left >= 6) {
      add.template operator()<3>();
    } else if (left >= 4) {
      add.template operator()<2>();
    } else {
      add.template operator()<1>();
    }
  }
}

/// Combines as many masks of each row as there are pairs, from `column` on.
template <std::size_t... Pair>
void combine(std::span<const std::uint64_t* const> rows, std::size_t column, std::uint64_t* out,
             std::index_sequence<Pair...> /*pairs*/) noexcept {
  two_masks kept[] = {load_two<two_masks>(rows[0] + column + 2 * Pair)...};
  for (const std::uint64_t* const row : rows.subspan(1)) {
    ((kept[Pair] = kept[Pair] & load_two<two_masks>(row + column + 2 * Pair)), ...);
  }
  (std::memcpy(out + column + 2 * Pair, &kept[Pair], sizeof(two_masks)), ...);
}

}  // namespace fettle::model::detail
