// zip(s1, ..., sn): the sequence x with x[i] = (s1[i], ..., sn[i]).
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Elements are tuples of what the sequences yield: of references where those lie in memory, so
/// that a zip of writable sequences is a destination for tuples.
template <random_access... S>
struct zipped_sequence {
  using operator_type = op::zip;
  using value_type = tuple<std::remove_cvref_t<element_t<S>>...>;

  tuple<S...> sources;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return get<0>(sources).size(); }

  FETTLE_HOST_DEVICE constexpr tuple<element_t<S>...> operator[](index_t i) const {
    check_index("zip", i, size());
    return at(i, std::index_sequence_for<S...>{});
  }

 private:
  template <std::size_t... Is>
  FETTLE_HOST_DEVICE constexpr tuple<element_t<S>...> at(index_t i,
                                                         std::index_sequence<Is...>) const {
    return tuple_of<element_t<S>...>(get<Is>(sources)[i]...);
  }
};

namespace detail {

template <typename... S>
  requires(is_bound_v<S> || ...)
struct without_teams<zipped_sequence<S...>> {
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr auto of(const zipped_sequence<S...>& s) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return zipped_sequence<without_teams_t<S>...>{
          tuple_of<without_teams_t<S>...>(unbound(get<Is>(s.sources))...)};
    }(std::index_sequence_for<S...>{});
  }
};

}  // namespace detail

/// All sequences have to be equally long.
template <typename... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto zip(const S&... sources) {
  constexpr bool sequences = (random_access<S> && ...);
  static_assert(sequences,
                "zip: every argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S...>) {
    check_same_sizes("zip", sources...);
    return zipped_sequence<S...>{tuple_of<S...>(sources...)};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) == 0)
FETTLE_HOST_DEVICE constexpr invalid_expression zip(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) > 0, "zip: takes one or more sequences");
  return {};
}

}  // namespace fettle::ndp
