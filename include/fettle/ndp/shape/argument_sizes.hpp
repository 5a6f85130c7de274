// argument_sizes: refuses an expression whose arguments' sizes do not fit together, before anything
// of it is computed.
//
// What an operator knows of its arguments in constant time is checked, on every platform: their
// sizes, and where rows lie that are equally long by construction. Where the host runs the
// computation it reads the first and the last row too: a nest's outermost offsets, and the
// expressions that a map's function makes of those rows, as a sample of all.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/shape/misfit.hpp>
#include <fettle/ndp/shape/row_ends.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename Platform, typename S>
void check_arguments(const computation& named, const S& s);

/// Sequences that are walked together.
template <typename... S>
void require_equal(const computation& named, std::string_view operation, const tuple<S...>& all) {
  const index_t size = get<0>(all).size();
  const auto require = [&](std::size_t index, index_t its_size) {
    if (its_size == size) return;
    throw_misfit(named, {.operation = operation,
                         .argument = "sequence",
                         .number = static_cast<index_t>(index) + 1,
                         .size = its_size,
                         .other = "sequence 1 has",
                         .other_size = size});
  };
  [&]<std::size_t... Is>(std::index_sequence<Is...> /*indices*/) {
    (require(Is, get<Is>(all).size()), ...);
  }(std::index_sequence_for<S...>{});
}

/// Rows that are all to have at least `columns` elements.
template <typename Platform, typename S>
void require_columns(const computation& named, const S& rows, index_t columns) {
  if constexpr (Platform::runs_on_host || has_computed_rows_v<S>) {
    visit_ends(rows.size(), [&](index_t i) {
      const index_t size = rows[i].size();
      if (size >= columns) return;
      throw_misfit(named, {.operation = "transpose",
                           .argument = "row",
                           .number = i,
                           .size = size,
                           .other = "the columns are",
                           .other_size = columns});
    });
  }
}

/// Reductions of rows: what the operator makes of the seed and a row.
template <typename Platform, typename E>
void check_row_reduction(const computation& named, const E& e) {
  if constexpr (Platform::runs_on_host && sequence_like<typename E::value_type>) {
    const index_t columns = e.seed.size();
    visit_ends(e.source.size(), [&](index_t i) {
      const auto combined = e.op(e.seed, e.source[i]);
      check_arguments<Platform>(named, combined);
      if (combined.size() >= columns) return;
      throw_misfit(named, {.operation = E::operator_type::name,
                           .argument = "what the operator makes of row",
                           .number = i,
                           .size = combined.size(),
                           .other = "the seed has",
                           .other_size = columns});
    });
  }
}

/// What an operator requires of its arguments; nothing for operators that are not listed here.
template <typename Platform, typename S>
void check_node(const computation& /*named*/, const S& /*s*/) {}

template <typename Platform, typename F, typename... S>
void check_node(const computation& named, const transformed_sequence<F, S...>& s) {
  require_equal(named, "map", s.sources);
  using row = typename transformed_sequence<F, S...>::value_type;
  if constexpr (is_map_of_programs_v<transformed_sequence<F, S...>> &&
                !is_sized_map_v<transformed_sequence<F, S...>>) {
    check_node<Platform>(named, with_team<sizing_team>(s));
  } else if constexpr (Platform::runs_on_host && operation<row>) {
    visit_ends(s.size(), [&](index_t i) { check_arguments<Platform>(named, row(s[i])); });
  }
}
template <typename Platform, typename... S>
void check_node(const computation& named, const zipped_sequence<S...>& s) {
  require_equal(named, "zip", s.sources);
}
template <typename E>
void require_keys(const computation& named, const E& /*e*/, index_t keys, index_t elements) {
  if (keys == elements) return;
  throw_misfit(named, {.operation = E::operator_type::name,
                       .argument = "the sequence of keys or indices",
                       .size = keys,
                       .other = "the source has",
                       .other_size = elements});
}
template <typename Platform, typename Op, typename S, typename K, typename P>
void check_node(const computation& named, const keyed_runs<Op, S, K, P>& s) {
  require_keys(named, s, s.keys.size(), s.source.size());
}
template <typename Platform, typename Op, typename S, typename Indices, typename P>
void check_node(const computation& named, const reduced_by_index<Op, S, Indices, P>& s) {
  require_keys(named, s, s.indices.size(), s.source.size());
}
template <typename Platform, typename Less, typename K, typename S>
void check_node(const computation& named, const sorted_sequence<Less, K, S>& s) {
  if constexpr (sorted_sequence<Less, K, S>::has_values) {
    require_keys(named, s, s.keys.size(), s.source.size());
  }
}
template <typename Platform, typename Op, typename S, typename K, typename P>
void check_node(const computation& named, const reduced_by_key<Op, S, K, P>& s) {
  if (s.keys.size() != s.source.size()) {
    throw_misfit(named, {.operation = "reduce_by_key",
                         .argument = "the sequence of keys",
                         .size = s.keys.size(),
                         .other = "the source has",
                         .other_size = s.source.size()});
  }
  check_row_reduction<Platform>(named, s);
}
template <typename Platform, typename Op, typename S, typename P>
void check_node(const computation& named, const reduced<Op, S, P>& s) {
  check_row_reduction<Platform>(named, s);
}
template <typename Platform, typename S, typename Indices>
void check_node(const computation& named, const gathered_sequence<S, Indices>& s) {
  if (s.source.size() > 0 || s.indices.size() == 0) return;
  throw_misfit(named, {.operation = "gather",
                       .argument = "the sequence of indices",
                       .size = s.indices.size(),
                       .other = "the source has",
                       .other_size = 0});
}
template <typename Platform, typename S, typename Indices, typename D>
void check_node(const computation& named, const scattered<S, Indices, D>& s) {
  const index_t size = s.source.size();
  const auto require = [&](bool fits, std::string_view argument, index_t its_size) {
    if (fits) return;
    throw_misfit(named, {.operation = "scatter",
                         .argument = argument,
                         .size = its_size,
                         .other = "the source has",
                         .other_size = size});
  };
  require(s.indices.size() == size, "the sequence of indices", s.indices.size());
  require(s.destination.size() >= size, "the destination", s.destination.size());  // no index twice
}
template <typename Platform, typename S, typename O>
void check_node(const computation& named, const nested_sequence<S, O>& s) {
  if constexpr (Platform::runs_on_host) {
    if (s.offsets.size() == 0) return;
    const index_t begin = s.row_begin(0);
    const index_t end = s.row_begin(s.size());
    if (begin >= 0 && begin <= end && end <= s.source.size()) return;
    throw_misfit(named, {.operation = "nest",
                         .argument = "the source",
                         .size = s.source.size(),
                         .other = begin < 0     ? "the first offset is"
                                  : end < begin ? "the last offset, less than the first, is"
                                                : "the last offset is",
                         .other_size = begin < 0 ? begin : end});
  }
}
template <typename Platform, typename S>
void check_node(const computation& named, const transposed_sequence<S>& s) {
  require_columns<Platform>(named, s.source, s.columns);
}
template <typename Platform, typename S>
void check_node(const computation& named, const column_sequence<S>& s) {
  require_columns<Platform>(named, s.source, s.column + 1);
}
template <typename Platform, typename T>
void check_node(const computation& named, const sequence<T>& s) {
  if (s.size() >= 0) return;
  throw_misfit(named, {.operation = "sequence or subsequence",
                       .argument = "it",
                       .size = s.size(),
                       .other = "the least is",
                       .other_size = 0});
}
template <typename Platform, typename S>
void check_node(const computation& named, const window<S>& s) {
  const index_t size = s.base().size();
  if (s.first() >= 0 && s.size() >= 0 && s.size() <= size - s.first()) return;
  throw_misfit(named, {.operation = "subsequence",
                       .argument = "the sequence",
                       .size = size,
                       .other = s.first() < 0 ? "the part begins at" : "the part ends at",
                       .other_size = s.first() + (s.first() < 0 ? 0 : s.size())});
}

/// Throws where the arguments of an operator of `s`, wherever it is in it, do not fit together.
template <typename Platform, typename S>
void check_arguments(const computation& named, const S& s) {
  if constexpr (is_tuple_v<S> || sequence_like<S> || operation<S>) {
    // Operands first: the operator's own check may read what they are made of.
    for_each_operand(s, [&](const auto& operand) { check_arguments<Platform>(named, operand); });
    check_node<Platform>(named, s);
  }
}

}  // namespace fettle::ndp::detail
