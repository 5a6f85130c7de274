// equal_rows: reductions of rows that lie side by side and have the same few elements each,
// unrolled for their length.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/host/rows/buffered_rows.hpp>
#include <fettle/ndp/host/rows/contiguous_rows.hpp>
#include <fettle/ndp/host/rows/gathered_rows.hpp>
#include <fettle/ndp/host/rows/rows_together.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// Rows of at most so many elements are unrolled. Without optimisation that gains nothing and takes
// time to compile.
#ifdef __OPTIMIZE__
inline constexpr index_t longest_unrolled = 16;
#else
inline constexpr index_t longest_unrolled = 1;
#endif

// Rows of so few elements are reduced four at a time, which saves checks and prefetches; longer
// ones gain nothing by it, and take four times as long to compile.
inline constexpr index_t longest_by_fours = 4;

// minimum(NaN, x) is NaN, minimum(x, NaN) is x: what is not a number may not come first.
template <typename Op, typename T>
inline constexpr bool passes_over_nan_v =
    std::is_floating_point_v<T> && (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>);

// Whether the sums of eight rows of this length take a few vector instructions.
[[nodiscard]] constexpr bool has_eight_sums(index_t length) noexcept {
  return length == 1 || length == 3 ||
         (length > 0 && length % 2 == 0 && has_eight_sums(length / 2));
}

// out[j] = s[i + j * Length] op ... op s[i + j * Length + Length - 1] for j in [0, 8), of an s of
// which load(i, eight) loads eight elements.
template <typename Op, index_t Length, typename T, typename Load>
[[gnu::always_inline]] inline void eight_sums(const Load& load, index_t i, eights_t<T>& out) {
  using vector = eights_t<T>;
  if constexpr (Length == 1) {
    load(i, out);
  } else if constexpr (Length == 3) {
    vector a;
    vector b;
    vector c;
    load(i, a);
    load(i + 8, b);
    load(i + 16, c);
    const vector ab0 = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 0, 0);
    const vector ab1 = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 0, 0, 0);
    const vector ab2 = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 0, 0, 0);
    out = __builtin_shufflevector(ab0, c, 0, 1, 2, 3, 4, 5, 10, 13);
    combine_lanes<Op>(out, vector(__builtin_shufflevector(ab1, c, 0, 1, 2, 3, 4, 8, 11, 14)));
    combine_lanes<Op>(out, vector(__builtin_shufflevector(ab2, c, 0, 1, 2, 3, 4, 9, 12, 15)));
  } else {
    vector a;
    vector b;
    eight_sums<Op, Length / 2, T>(load, i, a);
    eight_sums<Op, Length / 2, T>(load, i + 4 * Length, b);
    out = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    combine_lanes<Op>(out, vector(__builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)));
  }
}

// A row that has as many elements as there are Is's, `all` from `begin` on.
template <index_t... Is, typename E, typename D, typename S>
[[gnu::always_inline]] inline void reduce_row_of(
    const E& e, const D& destination, index_t i, const S& all, index_t begin,
    std::integer_sequence<index_t, Is...> /*elements*/) {
  keep_scalar();
  const row_t<E> row = e[i];
  auto value = static_cast<row_value_t<E>>(row.seed);
  ((value = row.op(value, all[begin + Is])), ...);
  store<element_t<D>>(destination[i], value);
}

// Whether rows of this length are reduced by eight sums at a time.
template <typename E>
[[nodiscard]] constexpr bool sums_by_eights(index_t length) noexcept {
  using value_type = row_value_t<E>;
  using op = std::remove_cvref_t<decltype(row_t<E>::op)>;
  return rows_together<value_type> == 8 && has_eight_sums(length) &&
         !passes_over_nan_v<op, value_type>;
}

// Rows of `Length` elements each, which are those of `all`; by eight sums at a time only where
// sums_by_eights.
template <bool ByVectors, index_t Length, bool MayGather, typename E, typename D, typename S>
[[gnu::always_inline]] inline void reduce_equal_rows(const E& own, const D& to, index_t first,
                                                     index_t count, const S& all,
                                                     [[maybe_unused]] bool prefetch) {
  using value_type = row_value_t<E>;
  using op = std::remove_cvref_t<decltype(row_t<E>::op)>;
  constexpr auto elements = std::make_integer_sequence<index_t, Length>{};
  index_t k = 0;
  if constexpr (ByVectors) {
    const auto by_eights = [&](const auto& load) {
      for (; k + 8 <= count; k += 8) {
        prefetch_ahead<8 * Length>(all, k * Length, prefetch);
        eights_t<value_type> eight;
        eight_sums<op, Length, value_type>(load, k * Length, eight);
        value_type sums[8];
        std::memcpy(sums, &eight, sizeof eight);
        for (index_t i = 0; i < 8; ++i) {
          const row_t<E> row = own[first + k + i];
          const auto seed = static_cast<value_type>(row.seed);
          store<element_t<D>>(to[first + k + i], row.op(seed, sums[i]));
        }
      }
    };
    if constexpr (MayGather && gathered_rows_node<E>) {
      if (gathers_fast()) {
        by_eights(
            [&](index_t i, eights_t<value_type>& out) { gather_eights<value_type>(all, i, out); });
      }
    }
    by_eights(
        [&](index_t i, eights_t<value_type>& out) { load_vector<value_type, 8>(all, i, out); });
  }
  if constexpr (Length <= longest_by_fours) {
    for (; k + 4 <= count; k += 4) {
      prefetch_ahead<4 * Length>(all, k * Length, prefetch);
      reduce_row_of(own, to, first + k, all, k * Length, elements);
      reduce_row_of(own, to, first + k + 1, all, (k + 1) * Length, elements);
      reduce_row_of(own, to, first + k + 2, all, (k + 2) * Length, elements);
      reduce_row_of(own, to, first + k + 3, all, (k + 3) * Length, elements);
    }
  }
  for (; k < count; ++k) {
    prefetch_ahead<Length>(all, k * Length, prefetch);
    reduce_row_of(own, to, first + k, all, k * Length, elements);
  }
}

// The same; what a user's function computes through a buffer.
template <bool ByVectors, index_t Length, typename E, typename D>
[[gnu::noinline]] void reduce_equal_rows(const E& e, const D& destination, index_t first,
                                         index_t count, bool prefetch) {
  using value_type = row_value_t<E>;
  own_t<E> own = e;
  own_t<D> to = destination;
  constexpr int together = rows_together<value_type>;
  if constexpr (Length > 0 && has_computed_rows_v<E> && together > 0) {
    alignas(64) value_type buffer[buffered_elements + readable_behind_rows];
    constexpr index_t most = buffered_elements / Length;
    for (index_t k = 0; k < count; k += most) {
      const index_t rows = std::min(most, count - k);
      const index_t size = rows * Length;
      fill_buffer_apart(widened(own[first + k].source, size), size, buffer, prefetch);
      const sequence<const value_type> all(buffer, size);
      reduce_equal_rows<ByVectors, Length, false>(own, to, first + k, rows, all, false);
    }
  } else {
    const auto all = widened(own[first].source, Length * count);
    reduce_equal_rows<ByVectors, Length, true>(own, to, first, count, all, prefetch);
  }
}

// Rows of `length` elements each, at most `Longest`: a parameter, because files of one program may
// be compiled with and without optimisation.
template <bool ByVectors, index_t Longest, index_t Length = 0, typename E, typename D>
void reduce_rows_of(index_t length, const E& e, const D& destination, index_t first, index_t count,
                    bool prefetch) {
  if constexpr (Length <= Longest) {
    if (length == Length) {
      constexpr bool by_vectors = ByVectors && sums_by_eights<E>(Length);
      reduce_equal_rows<by_vectors, Length>(e, destination, first, count, prefetch);
    } else {
      reduce_rows_of<ByVectors, Longest, Length + 1>(length, e, destination, first, count,
                                                     prefetch);
    }
  }
}

}  // namespace fettle::ndp::host::detail
