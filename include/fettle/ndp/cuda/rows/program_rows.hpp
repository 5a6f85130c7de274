// program_rows: what the host knows of the rows that a row program is given, without reading any:
// how long they are, and how wide their values. Needs no CUDA.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A map whose function is a row program.
template <typename E>
concept program_node = elements_node<E> && ndp::detail::is_map_of_programs_v<E>;

template <typename S>
using program_row_t = std::remove_cvref_t<element_t<S>>;

/// All rows are as long as their type says, on the host.
template <typename S>
inline constexpr bool has_known_rows_v = !nested<S> || has_row_size<S>;
template <typename E>
inline constexpr bool has_known_rows_of_all_v = false;
template <typename F, typename... S>
inline constexpr bool has_known_rows_of_all_v<transformed_sequence<F, S...>> =
    (has_known_rows_v<S> && ...);

/// All rows are windows that begin beside each other.
template <typename S>
inline constexpr bool is_sliding_v = !nested<S>;
template <typename S, typename Length>
inline constexpr bool is_sliding_v<windowed_sequence<S, Length, unit_stride>> = true;
template <typename E>
inline constexpr bool has_sliding_rows_v = false;
template <typename F, typename... S>
inline constexpr bool has_sliding_rows_v<transformed_sequence<F, S...>> =
    (is_sliding_v<S> && ...) && (nested<S> || ...);

/// Elements of the longest row that the function is given.
template <typename F, typename... S>
[[nodiscard]] index_t longest_row(const transformed_sequence<F, S...>& e) {
  index_t longest = 0;
  const auto look = [&](const auto& source) {
    if constexpr (nested<std::remove_cvref_t<decltype(source)>>) {
      longest = source.row_size() > longest ? index_t{source.row_size()} : longest;
    }
  };
  [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    (look(get<Is>(e.sources)), ...);
  }(std::index_sequence_for<S...>{});
  return longest;
}

/// What is known of E's rows on the host without reading an offset.
struct known_rows {
  index_t elements = -1;  // of all rows at most; -1: unknown
  index_t longest = -1;   // of one row; -1: unknown
};
template <typename E>
[[nodiscard]] known_rows known_rows_of(const E& e) {
  if constexpr (has_outer_shape_v<E>) {
    if constexpr (requires { atoms_bound(outer_shape(e)); }) {
      return {atoms_bound(outer_shape(e)), statistics_of_rows(outer_shape(e)).longest};
    }
  }
  return {};
}

/// Elements of a row, as far as the host knows; 0: it does not. Of rows that are alike those of the
/// longest, of others the mean.
template <typename E>
[[nodiscard]] index_t usual_row_size(const E& e) {
  constexpr index_t alike = 4;
  const known_rows known = known_rows_of(e);
  if (e.size() == 0 || known.elements < 0) return 0;
  const index_t mean = ceiling_quotient(known.elements, e.size());
  return known.longest > mean && known.longest <= alike * mean ? known.longest : mean;
}

/// Whether E may have a row of more than `longest` elements, and more than `much` in all.
template <typename E>
[[nodiscard]] bool may_have_long_rows(const E& e, index_t longest, index_t much) {
  const known_rows known = known_rows_of(e);
  return known.elements > much && (known.longest < 0 || known.longest > longest);
}

/// Bytes of the widest value in a row that the function is given.
template <typename E>
inline constexpr std::size_t row_value_bytes_v = 8;
template <typename F, typename... S>
inline constexpr std::size_t row_value_bytes_v<transformed_sequence<F, S...>> = [] {
  const auto bytes_of = []<typename Source>(std::type_identity<Source> /*source*/) {
    if constexpr (nested<Source>) {
      return sizeof(typename program_row_t<Source>::value_type);
    } else {
      return std::size_t{1};
    }
  };
  std::size_t widest = 1;
  for (const std::size_t bytes : {bytes_of(std::type_identity<S>{})...}) {
    widest = bytes > widest ? bytes : widest;
  }
  return widest;
}();

}  // namespace fettle::ndp::cuda::detail
