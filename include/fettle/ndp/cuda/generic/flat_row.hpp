// One row of a nested computation, built from where the row lies rather than by looking it up.
//
// A kernel that walks all rows' atoms has the rows' bounds in shared memory. Where every
// nested argument of the outer map has the same offsets, which the host sees from their addresses,
// the rows are built from these bounds: no offsets are loaded again, and the row's start cancels
// out of the atoms' addresses. Needs no CUDA.
#pragma once

#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/wide_elements.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Where a row lies: the index of the row, and its atoms [begin, end) in the shape's flat source.
struct row_extent {
  index_t row;
  index_t begin;
  index_t end;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return end - begin; }
};

template <typename A, typename B>
[[nodiscard]] constexpr bool same_rows(const A& /*a*/, const B& /*b*/) {
  return false;
}
template <typename S, typename R, typename O>
[[nodiscard]] constexpr bool same_rows(const nested_sequence<S, sequence<O>>& a,
                                       const nested_sequence<R, sequence<O>>& b) {
  return a.offsets.data() == b.offsets.data() && a.offsets.size() == b.offsets.size();
}
template <typename S, typename R>
[[nodiscard]] constexpr bool same_rows(const tiled_sequence<S>& a, const tiled_sequence<R>& b) {
  return a.tile_size == b.tile_size && a.source.size() == b.source.size();
}
template <typename S, typename R>
[[nodiscard]] constexpr bool same_rows(const grid_sequence<S>& a, const grid_sequence<R>& b) {
  return a.height == b.height && a.width == b.width;
}

// The index in the parameter list of the argument that gives a computation its shape.
template <typename... S>
[[nodiscard]] constexpr std::size_t shape_index() {
  const bool has[] = {has_row_offsets<S>...};
  std::size_t extent = 0;
  while (!has[extent]) ++extent;
  return extent;
}

template <typename F, typename... S, std::size_t... Is>
[[nodiscard]] constexpr bool all_same_rows(const transformed_sequence<F, S...>& e,
                                           std::index_sequence<Is...>) {
  constexpr std::size_t shape = shape_index<S...>();
  return ((!has_row_offsets<S> || Is == shape ||
           same_rows(get<Is>(e.sources), get<shape>(e.sources))) &&
          ...);
}

template <bool SameRows, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr decltype(auto) row_of_source(const S& source,
                                                                        const row_extent& extent) {
  if constexpr (SameRows && has_row_offsets<S> && requires { source.source; }) {
    return subsequence(source.source, extent.begin, extent.size());
  } else {
    return source[extent.row];
  }
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <bool SameRows, typename F, typename... S, std::size_t... Is>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto row_at(const transformed_sequence<F, S...>& e,
                                                       const row_extent& extent,
                                                       std::index_sequence<Is...>) {
  return e.function(row_of_source<SameRows>(get<Is>(e.sources), extent)...);
}

/// Whether all nested arguments of `e` certainly have the shape's offsets. Reads no element.
template <typename F, typename... S>
[[nodiscard]] constexpr bool have_same_rows(const transformed_sequence<F, S...>& e) {
  return all_same_rows(e, std::index_sequence_for<S...>{});
}

/// e[extent.row]; with SameRows, which have_same_rows(e) has to warrant, no offsets are read.
template <bool SameRows, typename F, typename... S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto row_at(const transformed_sequence<F, S...>& e,
                                                       const row_extent& extent) {
  return row_at<SameRows>(e, extent, std::index_sequence_for<S...>{});
}

/// How many atoms all rows have at most, as far as the host can see.
template <typename Shape>
  requires requires(const Shape& shape) { shape.source.size(); }
[[nodiscard]] constexpr index_t atoms_bound(const Shape& shape) {
  return shape.source.size();
}

/// A map whose elements reduce or scan contiguous rows.
template <typename E>
concept has_flat_rows =
    has_outer_shape_v<E> && requires(const E& e) { atoms_bound(outer_shape(e)); };

// A row's reduction may be over another length than the row's own (part of the row, every second
// element). Kernels over tiles of atoms notice that, at no cost where the sizes cancel out, and do
// such rows one by one.
template <typename R>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool covers_row(const R& r, const row_extent& extent) {
  return r.source.size() == extent.size();
}

/// The atom of row `r` that is `offset` behind its start, as the type in which `r` accumulates; any
/// value where `r` is not over the row's own atoms. With Wide, structures are read widely where
/// they are aligned for it.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <bool Wide = false, typename R>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr typename R::value_type atom_of(const R& r,
                                                                          const row_extent& extent,
                                                                          index_t offset) {
  using value_type = typename R::value_type;
  if (covers_row(r, extent)) {
    if constexpr (Wide) {
      return with_wide_elements(
          r.source, [&](const auto& its) { return static_cast<value_type>(its[offset]); });
    } else {
      return static_cast<value_type>(r.source[offset]);
    }
  }
  return static_cast<value_type>(r.seed);
}

}  // namespace fettle::ndp::cuda::detail
