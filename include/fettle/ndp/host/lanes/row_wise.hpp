// row_wise: elements whose index is made of a row's and a column's, as an outer and an inner loop.
//
// Finding the row of the i-th element takes divisions, which cost more than most functions of it;
// a row has none. Joins (join_rows.hpp) and halos (halo_rows.hpp) are such sequences, and so is any
// map over them, and over sequences beside them, that have rows of one width. Most columns of a
// halo's row are away from the borders, in a run of columns whose elements are cheaper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The columns [begin, end) of a row.
struct column_range {
  index_t begin;
  index_t end;
};

// What is known of sequences of type S:
//   found: they are row-wise.
//   has_border: rows have columns that are not inside.
//   width(s): how long rows are; -1 where sequences beside each other differ in that.
//   inside(s, r, width): the columns of row r that are.
//   is_row_inside(s, r): whether, where there are borders, row r is away from the first and last.
//   row<Known>(s, r, width): the elements [r * width, (r + 1) * width); of those columns that are
//     inside, unless Known is none, and of such a row, if it is all.
template <typename S>
struct rows_of {
  static constexpr bool found = false;
  static constexpr bool has_border = false;

  [[nodiscard]] static column_range inside(const S& /*s*/, index_t /*r*/, index_t width) {
    return {0, width};
  }
  [[nodiscard]] static bool is_row_inside(const S& /*s*/, index_t /*r*/) { return true; }
  template <cells_of_grid Known>
  [[nodiscard]] static auto row(const S& s, index_t r, index_t width) {
    return subsequence(s, r * width, width);
  }
};

template <typename F, typename... S>
  requires(rows_of<S>::found || ...)
struct rows_of<transformed_sequence<F, S...>> {
  using view = transformed_sequence<F, S...>;
  static constexpr bool found = true;
  static constexpr bool has_border = (rows_of<S>::has_border || ...);

  [[nodiscard]] static index_t width(const view& s) { return width(s, indices{}); }
  [[nodiscard]] static column_range inside(const view& s, index_t r, index_t width) {
    return inside(s, r, width, indices{});
  }
  [[nodiscard]] static bool is_row_inside(const view& s, index_t r) {
    return is_row_inside(s, r, indices{});
  }
  template <cells_of_grid Known>
  [[nodiscard]] static auto row(const view& s, index_t r, index_t width) {
    return row<Known>(s, r, width, indices{});
  }

 private:
  using indices = std::index_sequence_for<S...>;

  template <std::size_t... Is>
  [[nodiscard]] static index_t width(const view& s, std::index_sequence<Is...> /*sources*/) {
    index_t common = 0;  // none seen yet
    const auto add = [&](const auto& source) {
      using rows = rows_of<std::remove_cvref_t<decltype(source)>>;
      if constexpr (rows::found) {
        const index_t its = rows::width(source);
        common = common == 0 || common == its ? its : -1;
      }
    };
    (add(get<Is>(s.sources)), ...);
    return common;
  }
  template <std::size_t... Is>
  [[nodiscard]] static column_range inside(const view& s, index_t r, index_t width,
                                           std::index_sequence<Is...> /*sources*/) {
    column_range all{0, width};
    const auto cut = [&](const column_range& its) {
      all = {std::max(all.begin, its.begin), std::min(all.end, its.end)};
    };
    (cut(rows_of<S>::inside(get<Is>(s.sources), r, width)), ...);
    return all;
  }
  template <std::size_t... Is>
  [[nodiscard]] static bool is_row_inside(const view& s, index_t r,
                                          std::index_sequence<Is...> /*sources*/) {
    return (rows_of<S>::is_row_inside(get<Is>(s.sources), r) && ...);
  }
  template <cells_of_grid Known, std::size_t... Is>
  [[nodiscard]] static auto row(const view& s, index_t r, index_t width,
                                std::index_sequence<Is...> /*sources*/) {
    const auto sources =
        std::tuple(rows_of<S>::template row<Known>(get<Is>(s.sources), r, width)...);
    return transformed_sequence<
        F, std::remove_cvref_t<std::tuple_element_t<Is, decltype(sources)>>...>{
        s.function, tuple_of<std::remove_cvref_t<std::tuple_element_t<Is, decltype(sources)>>...>(
                        std::get<Is>(sources)...)};
  }
};

/// A join, a halo, or a map over such.
template <typename S>
concept row_wise = rows_of<S>::found;

// for_rows() of one row, with borders: what is before, inside and behind.
template <row_wise S, typename Work>
[[gnu::always_inline]] inline void for_columns(const S& s, index_t r, index_t width, index_t first,
                                               index_t last, const Work& work) {
  const index_t index = r * width;
  if constexpr (!rows_of<S>::has_border) {
    work(rows_of<S>::template row<cells_of_grid::all>(s, r, width), first, last, index);
  } else {
    const column_range inside = rows_of<S>::inside(s, r, width);
    const index_t from = std::clamp(inside.begin, first, last);
    const index_t bounds[] = {first, from, std::clamp(inside.end, from, last), last};
    for (int part = 0; part < 3; ++part) {
      const index_t begin = bounds[part];
      const index_t end = bounds[part + 1];
      if (begin == end) continue;
      if (part != 1) {
        work(rows_of<S>::template row<cells_of_grid::none>(s, r, width), begin, end, index);
      } else if (rows_of<S>::is_row_inside(s, r)) {
        work(rows_of<S>::template row<cells_of_grid::all>(s, r, width), begin, end, index);
      } else {
        work(rows_of<S>::template row<cells_of_grid::in_rows>(s, r, width), begin, end, index);
      }
    }
  }
}

/// work(row, first, last, index) for the rows of which [begin, end) are elements, in order: the
/// elements [first, last) of the row, whose first element of all is `index`. False, and nothing is
/// done, where rows have several widths.
template <row_wise S, typename Work>
[[gnu::always_inline]] inline bool for_rows(const S& s, index_t begin, index_t end,
                                            const Work& work) {
  const index_t width = rows_of<S>::width(s);
  if (width <= 0) return width == 0;
  for (index_t r = begin / width; begin < end; ++r) {
    const index_t index = r * width;
    for_columns(s, r, width, begin - index, std::min(width, end - index), work);
    begin = index + width;
  }
  return true;
}

}  // namespace fettle::ndp::host::detail
