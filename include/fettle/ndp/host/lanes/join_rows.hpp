// join_rows: the elements of a join as an outer and an inner loop.
//
// The i-th combination of a join takes divisions, which cost more than most functions of it. But
// join(s1, ..., sn) is a row as long as sn for every combination of the others:
//
//   join(s1, s2)[r * n + j] = (s1[r], s2[j])     for r in [0, s1.size()), j in [0, n = s2.size())
//
// and so is any map over joins of one width, and over sequences beside them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// One row of a join: an element of the join of all sequences but the last, with each of the last.
template <typename Outer, typename Last>
struct joined_row;
template <typename... Fixed, typename Last>
struct joined_row<tuple<Fixed...>, Last> {
  using value_type = tuple<std::remove_cvref_t<Fixed>..., typename Last::value_type>;

  tuple<Fixed...> fixed;  // references where the sequences yield references
  Last last;

  [[nodiscard]] constexpr index_t size() const { return last.size(); }
  [[nodiscard]] constexpr tuple<Fixed..., element_t<Last>> operator[](index_t j) const {
    return at(j, std::index_sequence_for<Fixed...>{});
  }

 private:
  template <std::size_t... Is>
  [[nodiscard]] constexpr tuple<Fixed..., element_t<Last>> at(
      index_t j, std::index_sequence<Is...> /*fixed*/) const {
    return tuple_of<Fixed..., element_t<Last>>(static_cast<Fixed>(get<Is>(fixed))..., last[j]);
  }
};

// What of sequences of type S is known about joins in them:
//   found: there is one.
//   width(s): how long its rows are; -1 where joins beside each other differ in that.
//   row(s, r, width): the elements [r * width, (r + 1) * width).
template <typename S>
struct join_rows {
  static constexpr bool found = false;

  [[nodiscard]] static auto row(const S& s, index_t r, index_t width) {
    return subsequence(s, r * width, width);
  }
};

template <typename... S>
  requires(sizeof...(S) > 1)
struct join_rows<joined_sequence<S...>> {
  static constexpr bool found = true;

  [[nodiscard]] static index_t width(const joined_sequence<S...>& s) {
    return get<outer>(s.sources).size();
  }
  [[nodiscard]] static auto row(const joined_sequence<S...>& s, index_t r, index_t /*width*/) {
    return row(s, r, std::make_index_sequence<outer>{});
  }

 private:
  static constexpr std::size_t outer = sizeof...(S) - 1;

  template <std::size_t... Is>
  [[nodiscard]] static auto row(const joined_sequence<S...>& s, index_t r,
                                std::index_sequence<Is...> /*outer*/) {
    const auto fixed = join(get<Is>(s.sources)...)[r];
    const auto& last = get<outer>(s.sources);
    return joined_row<std::remove_const_t<decltype(fixed)>, std::remove_cvref_t<decltype(last)>>{
        fixed, last};
  }
};

template <typename F, typename... S>
  requires(join_rows<S>::found || ...)
struct join_rows<transformed_sequence<F, S...>> {
  using view = transformed_sequence<F, S...>;
  static constexpr bool found = true;

  [[nodiscard]] static index_t width(const view& s) { return width(s, indices{}); }
  [[nodiscard]] static auto row(const view& s, index_t r, index_t width) {
    return row(s, r, width, indices{});
  }

 private:
  using indices = std::index_sequence_for<S...>;

  template <std::size_t... Is>
  [[nodiscard]] static index_t width(const view& s, std::index_sequence<Is...> /*sources*/) {
    index_t common = 0;  // none seen yet
    const auto add = [&](const auto& source) {
      using rows = join_rows<std::remove_cvref_t<decltype(source)>>;
      if constexpr (rows::found) {
        const index_t its = rows::width(source);
        common = common == 0 || common == its ? its : -1;
      }
    };
    (add(get<Is>(s.sources)), ...);
    return common;
  }
  template <std::size_t... Is>
  [[nodiscard]] static auto row(const view& s, index_t r, index_t width,
                                std::index_sequence<Is...> /*sources*/) {
    const auto sources = std::tuple(join_rows<S>::row(get<Is>(s.sources), r, width)...);
    return transformed_sequence<
        F, std::remove_cvref_t<std::tuple_element_t<Is, decltype(sources)>>...>{
        s.function, tuple_of<std::remove_cvref_t<std::tuple_element_t<Is, decltype(sources)>>...>(
                        std::get<Is>(sources)...)};
  }
};

/// A map over joins, or a join: its elements are rows.
template <typename S>
concept joined_elements = join_rows<S>::found;

/// work(row, first, last, index) for the rows of which [begin, end) are elements, in order: the
/// elements [first, last) of the row, whose first element of all is `index`. False, and nothing is
/// done, where it has joins of several widths.
template <joined_elements S, typename Work>
[[gnu::always_inline]] inline bool for_join_rows(const S& s, index_t begin, index_t end,
                                                 const Work& work) {
  const index_t width = join_rows<S>::width(s);
  if (width <= 0) return width == 0;
  for (index_t r = begin / width; begin < end; ++r) {
    const index_t index = r * width;
    const index_t last = std::min(width, end - index);
    work(join_rows<S>::row(s, r, width), begin - index, last, index);
    begin = index + width;
  }
  return true;
}

}  // namespace fettle::ndp::host::detail
