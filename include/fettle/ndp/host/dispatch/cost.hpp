// cost: how many elements a computation has, as far as lengths tell.
#pragma once

#include <algorithm>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

inline constexpr index_t sampled_rows = 8;

template <typename E>
[[nodiscard]] index_t elements_of(const E& e);

/// Whether a map's nested computations are as long as the rows that give its shape, judged by a
/// few. A user's function may as well reduce something else, for which its argument only is a name.
template <nested_node E>
[[nodiscard]] bool follows_shape(const E& e) {
  if constexpr (has_outer_shape_v<E> && !nested_node<row_t<E>>) {
    const auto& rows = outer_shape(e);
    const index_t count = e.size();
    const index_t samples = std::min(count, sampled_rows);
    for (index_t k = 0; k < samples; ++k) {
      const index_t i = count / samples * k;
      if (elements_of(row_t<E>(e[i])) != rows.row_begin(i + 1) - rows.row_begin(i)) return false;
    }
    return true;
  } else {
    return false;
  }
}

/// How many elements a computation has, those of nested ones counted one by one: exactly where the
/// rows' offsets say it, else judged by a few rows.
template <typename E>
[[nodiscard]] index_t elements_of(const E& e) {
  if constexpr (row_reduce_node<E> || row_by_key_node<E>) {
    return e.source.size() * e.seed.size();
  } else if constexpr (scalar_reduce_node<E> || by_index_node<E>) {
    return e.source.size();
  } else if constexpr (!nested_node<E>) {
    return e.size();
  } else {
    const index_t rows = e.size();
    if (rows == 0) return 0;
    if constexpr (has_outer_shape_v<E>) {
      if (follows_shape(e)) return outer_shape(e).row_begin(rows) - outer_shape(e).row_begin(0);
    }
    const index_t samples = std::min(rows, sampled_rows);
    index_t sum = 0;
    for (index_t k = 0; k < samples; ++k) sum += elements_of(row_t<E>(e[rows / samples * k]));
    return sum / samples * rows + rows;
  }
}

}  // namespace fettle::ndp::host::detail
