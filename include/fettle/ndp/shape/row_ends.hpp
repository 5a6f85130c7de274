// row_ends: checks of sizes look at the first and the last row, as a sample of all rows, where the
// lengths of rows are known without reading memory.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// visit(0) and visit(count - 1); once for a single row, not at all for none.
template <typename Visit>
constexpr void visit_ends(index_t count, const Visit& visit) {
  if (count > 0) visit(index_t{0});
  if (count > 1) visit(count - 1);
}

/// Rows whose length is known without reading memory and without calling a function. (The rows of a
/// tiling become shorter from row to row, so that the shortest is the first or the last one.)
template <typename S>
inline constexpr bool has_computed_rows_v = false;
template <typename S>
inline constexpr bool has_computed_rows_v<tiled_sequence<S>> = true;
template <typename S>
inline constexpr bool has_computed_rows_v<cyclic_sequence<S>> = true;
template <typename S>
inline constexpr bool has_computed_rows_v<transposed_sequence<S>> = true;
template <typename S>
inline constexpr bool has_computed_rows_v<grid_sequence<S>> = true;
template <typename S, typename Radius, typename Boundary>
inline constexpr bool has_computed_rows_v<halo_sequence<S, Radius, Boundary>> = true;
template <typename S, typename Length, typename Stride>
inline constexpr bool has_computed_rows_v<windowed_sequence<S, Length, Stride>> = true;
template <typename T>
inline constexpr bool has_computed_rows_v<constant_sequence<T>> = true;
template <typename S>
inline constexpr bool has_computed_rows_v<reversed_sequence<S>> = has_computed_rows_v<S>;
template <typename S>
inline constexpr bool has_computed_rows_v<strided_sequence<S>> = has_computed_rows_v<S>;
template <typename S>
inline constexpr bool has_computed_rows_v<window<S>> = has_computed_rows_v<S>;

}  // namespace fettle::ndp::detail
