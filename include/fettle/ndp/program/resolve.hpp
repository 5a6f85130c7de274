// resolve: an expression of a program with each result in it replaced, by the memory where its
// values lie or by the expression that computes them.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/shape/holds_result.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename S, typename Replace>
[[nodiscard, gnu::always_inline]] inline auto resolve(const S& s, const Replace& replace);

template <typename S, typename Replace>
using resolved_t = decltype(resolve(std::declval<const S&>(), std::declval<const Replace&>()));

/// The node, of what its operands became. Every operator that a program may read a result through
/// has an overload.
template <typename F, typename... S, typename Replace>
[[nodiscard]] auto rebuild(const transformed_sequence<F, S...>& s, const Replace& replace) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return transformed_sequence<F, resolved_t<S, Replace>...>{
        s.function, tuple_of<resolved_t<S, Replace>...>(resolve(get<Is>(s.sources), replace)...)};
  }(std::index_sequence_for<S...>{});
}
template <typename... S, typename Replace>
[[nodiscard]] auto rebuild(const zipped_sequence<S...>& s, const Replace& replace) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return zipped_sequence<resolved_t<S, Replace>...>{
        tuple_of<resolved_t<S, Replace>...>(resolve(get<Is>(s.sources), replace)...)};
  }(std::index_sequence_for<S...>{});
}
template <typename S, typename Indices, typename Replace>
[[nodiscard]] auto rebuild(const gathered_sequence<S, Indices>& s, const Replace& replace) {
  return gathered_sequence<resolved_t<S, Replace>, resolved_t<Indices, Replace>>{
      resolve(s.source, replace), resolve(s.indices, replace)};
}
template <typename S, typename Indices, typename D, typename Replace>
[[nodiscard]] auto rebuild(const scattered<S, Indices, D>& s, const Replace& replace) {
  return scattered<resolved_t<S, Replace>, resolved_t<Indices, Replace>, D>{
      resolve(s.source, replace), resolve(s.indices, replace), s.destination};
}
template <typename Op, typename S, typename P, typename Replace>
[[nodiscard]] auto rebuild(const reduced<Op, S, P>& s, const Replace& replace) {
  return reduced<Op, resolved_t<S, Replace>, P>{s.op, resolve(s.source, replace), s.seed};
}
template <typename Op, typename S, typename P, typename Tag, typename Replace>
[[nodiscard]] auto rebuild(const scanned_sequence<Op, S, P, Tag>& s, const Replace& replace) {
  return scanned_sequence<Op, resolved_t<S, Replace>, P, Tag>{s.op, resolve(s.source, replace),
                                                              s.seed};
}
template <typename Op, typename S, typename Indices, typename P, typename Replace>
[[nodiscard]] auto rebuild(const reduced_by_index<Op, S, Indices, P>& s, const Replace& replace) {
  return reduced_by_index<Op, resolved_t<S, Replace>, resolved_t<Indices, Replace>, P>{
      s.op, resolve(s.source, replace), resolve(s.indices, replace), s.bins, s.seed};
}
template <typename Op, typename S, typename K, typename P, typename Replace>
[[nodiscard]] auto rebuild(const reduced_by_key<Op, S, K, P>& s, const Replace& replace) {
  return reduced_by_key<Op, resolved_t<S, Replace>, resolved_t<K, Replace>, P>{
      s.op, resolve(s.source, replace), resolve(s.keys, replace), s.seed};
}
template <typename Op, typename S, typename K, typename P, typename Replace>
[[nodiscard]] auto rebuild(const keyed_runs<Op, S, K, P>& s, const Replace& replace) {
  return keyed_runs<Op, resolved_t<S, Replace>, resolved_t<K, Replace>, P>{
      {s.op, resolve(s.source, replace), resolve(s.keys, replace), s.seed}};
}
template <typename F, typename S, typename Tag, typename Replace>
[[nodiscard]] auto rebuild(const selected_sequence<F, S, Tag>& s, const Replace& replace) {
  return selected_sequence<F, resolved_t<S, Replace>, Tag>{s.function, resolve(s.source, replace)};
}
template <typename Less, typename K, typename S, typename Replace>
[[nodiscard]] auto rebuild(const sorted_sequence<Less, K, S>& s, const Replace& replace) {
  return sorted_sequence<Less, resolved_t<K, Replace>, resolved_t<S, Replace>>{
      s.less, resolve(s.keys, replace), resolve(s.source, replace)};
}
template <typename... S, typename Replace>
[[nodiscard]] auto rebuild(const joined_sequence<S...>& s, const Replace& replace) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return joined_sequence<resolved_t<S, Replace>...>{
        tuple_of<resolved_t<S, Replace>...>(resolve(get<Is>(s.sources), replace)...)};
  }(std::index_sequence_for<S...>{});
}
template <typename S, typename Radius, typename Boundary, typename Replace>
[[nodiscard]] auto rebuild(const halo_sequence<S, Radius, Boundary>& s, const Replace& replace) {
  return halo_sequence<resolved_t<S, Replace>, Radius, Boundary>{resolve(s.source, replace),
                                                                 s.radius, s.beyond};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const constant_sequence<S>& s, const Replace& replace) {
  return constant_sequence<resolved_t<S, Replace>>{resolve(s.value, replace), s.count};
}
template <typename S, typename O, typename Replace>
[[nodiscard]] auto rebuild(const nested_sequence<S, O>& s, const Replace& replace) {
  return nested_sequence<resolved_t<S, Replace>, resolved_t<O, Replace>>{
      resolve(s.source, replace), resolve(s.offsets, replace), s.rows};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const tiled_sequence<S>& s, const Replace& replace) {
  return tiled_sequence<resolved_t<S, Replace>>{resolve(s.source, replace), s.tile_size};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const grid_sequence<S>& s, const Replace& replace) {
  return grid_sequence<resolved_t<S, Replace>>{resolve(s.source, replace), s.height, s.width};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const cyclic_sequence<S>& s, const Replace& replace) {
  return cyclic_sequence<resolved_t<S, Replace>>{resolve(s.source, replace), s.tile_size};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const strided_sequence<S>& s, const Replace& replace) {
  return strided_sequence<resolved_t<S, Replace>>{resolve(s.source, replace), s.first, s.stride,
                                                  s.count};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const reversed_sequence<S>& s, const Replace& replace) {
  return reversed_sequence<resolved_t<S, Replace>>{resolve(s.source, replace)};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const transposed_sequence<S>& s, const Replace& replace) {
  return transposed_sequence<resolved_t<S, Replace>>{resolve(s.source, replace), s.columns};
}
template <typename S, typename Length, typename Stride, typename Replace>
[[nodiscard]] auto rebuild(const windowed_sequence<S, Length, Stride>& s, const Replace& replace) {
  return windowed_sequence<resolved_t<S, Replace>, Length, Stride>{resolve(s.source, replace),
                                                                   s.count, s.length, s.stride};
}
template <typename S, typename Replace>
[[nodiscard]] auto rebuild(const window<S>& s, const Replace& replace) {
  return subsequence(resolve(s.base(), replace), s.first(), s.size());
}

// (Deduced, because nvcc cannot write a resolved_t<> of names among the types of a kernel.)
template <typename M, typename R>
[[nodiscard]] one_pass<M, R> both_in_one_pass(const M& map, const R& reduction) {
  return {map, reduction};
}
template <typename M, typename R, typename Replace>
[[nodiscard]] auto rebuild(const one_pass<M, R>& s, const Replace& replace) {
  return both_in_one_pass(resolve(s.map, replace), resolve(s.reduction, replace));
}

/// The operators that have an overload of rebuild().
template <typename S>
inline constexpr bool is_rebuilt_v = false;
template <typename F, typename... S>
inline constexpr bool is_rebuilt_v<transformed_sequence<F, S...>> = true;
template <typename... S>
inline constexpr bool is_rebuilt_v<zipped_sequence<S...>> = true;
template <typename S, typename Indices>
inline constexpr bool is_rebuilt_v<gathered_sequence<S, Indices>> = true;
template <typename S, typename Indices, typename D>
inline constexpr bool is_rebuilt_v<scattered<S, Indices, D>> = true;
template <typename Op, typename S, typename P>
inline constexpr bool is_rebuilt_v<reduced<Op, S, P>> = true;
template <typename Op, typename S, typename P, typename Tag>
inline constexpr bool is_rebuilt_v<scanned_sequence<Op, S, P, Tag>> = true;
template <typename Op, typename S, typename Indices, typename P>
inline constexpr bool is_rebuilt_v<reduced_by_index<Op, S, Indices, P>> = true;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool is_rebuilt_v<reduced_by_key<Op, S, K, P>> = true;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool is_rebuilt_v<keyed_runs<Op, S, K, P>> = true;
template <typename F, typename S, typename Tag>
inline constexpr bool is_rebuilt_v<selected_sequence<F, S, Tag>> = true;
template <typename Less, typename K, typename S>
inline constexpr bool is_rebuilt_v<sorted_sequence<Less, K, S>> = true;
template <typename... S>
inline constexpr bool is_rebuilt_v<joined_sequence<S...>> = true;
template <typename S, typename Radius, typename Boundary>
inline constexpr bool is_rebuilt_v<halo_sequence<S, Radius, Boundary>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<constant_sequence<S>> = true;
template <typename S, typename O>
inline constexpr bool is_rebuilt_v<nested_sequence<S, O>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<tiled_sequence<S>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<grid_sequence<S>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<cyclic_sequence<S>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<strided_sequence<S>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<reversed_sequence<S>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<transposed_sequence<S>> = true;
template <typename S, typename Length, typename Stride>
inline constexpr bool is_rebuilt_v<windowed_sequence<S, Length, Stride>> = true;
template <typename S>
inline constexpr bool is_rebuilt_v<window<S>> = true;

/// All results in S are read through such operators.
template <typename S>
inline constexpr bool is_resolved_v = true;
template <typename S>
inline constexpr bool is_resolved_v<const S> = is_resolved_v<S>;
template <template <typename...> typename Node, typename... S>
inline constexpr bool is_resolved_v<Node<S...>> =
    !holds_result_v<Node<S...>> || (is_rebuilt_v<Node<S...>> && (is_resolved_v<S> && ...));
template <typename Name, typename E>
inline constexpr bool is_resolved_v<program_result<Name, E>> = true;

/// Whether a program may read the results in S; a sentence where not.
template <typename S>
[[nodiscard]] consteval bool check_results() {
  constexpr bool known = is_resolved_v<S>;
  static_assert(known,
                "program: a result of an earlier computation cannot be read through this operator; "
                "give it a destination, and read that");
  return known;
}

/// `s` with replace(result) for each program's result in it.
template <typename S, typename Replace>
inline auto resolve(const S& s, const Replace& replace) {
  if constexpr (is_program_result_v<S>) {
    return replace(s);
  } else if constexpr (!holds_result_v<S>) {
    return s;
  } else {
    return rebuild(s, replace);
  }
}

/// visit(result) for each program's result that `s` reads.
template <typename S, typename Visit>
void for_each_result(const S& s, const Visit& visit) {
  if constexpr (holds_result_v<S>) {
    static_cast<void>(resolve(s, [&](const auto& result) {
      visit(result);
      return sequence<const typename std::remove_cvref_t<decltype(result)>::value_type>(
          nullptr, result.size());
    }));
  }
}

}  // namespace fettle::ndp::detail
