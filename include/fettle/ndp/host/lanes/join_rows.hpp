// join_rows: the elements of a join as an outer and an inner loop.
//
// join(s1, ..., sn) is a row as long as sn for every combination of the others:
//
//   join(s1, s2)[r * n + j] = (s1[r], s2[j])     for r in [0, s1.size()), j in [0, n = s2.size())
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

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

template <typename... S>
  requires(sizeof...(S) > 1)
struct rows_of<joined_sequence<S...>> {
  static constexpr bool found = true;
  static constexpr bool has_border = false;

  [[nodiscard]] static index_t width(const joined_sequence<S...>& s) {
    return get<outer>(s.sources).size();
  }
  [[nodiscard]] static column_range inside(const joined_sequence<S...>& /*s*/, index_t /*r*/,
                                           index_t width) {
    return {0, width};
  }
  template <cells_of_grid Known>
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

}  // namespace fettle::ndp::host::detail
