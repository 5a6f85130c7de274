// join(s1, ..., sn): all combinations (x1, ..., xn) with x1 from s1, ..., xn from sn; the last
// varies fastest.
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access... S>
struct joined_sequence {
  using operator_type = op::join;
  using value_type = tuple<std::remove_cvref_t<element_t<S>>...>;

  tuple<S...> sources;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return sizes_from<0>(); }

  FETTLE_HOST_DEVICE constexpr tuple<element_t<S>...> operator[](index_t i) const {
    check_index("join", i, size());
    return at(i, std::index_sequence_for<S...>{});
  }

 private:
  // The number of combinations of the sequences from the I-th on.
  template <std::size_t Place>
  FETTLE_HOST_DEVICE constexpr index_t sizes_from() const {
    if constexpr (Place == sizeof...(S)) {
      return 1;
    } else {
      return get<Place>(sources).size() * sizes_from<Place + 1>();
    }
  }

  template <std::size_t... Is>
  FETTLE_HOST_DEVICE constexpr tuple<element_t<S>...> at(index_t i,
                                                         std::index_sequence<Is...>) const {
    return tuple_of<element_t<S>...>(
        get<Is>(sources)[i / sizes_from<Is + 1>() % get<Is>(sources).size()]...);
  }
};

/// As long as the product of the lengths. Cost of an element: n divisions.
template <typename... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto join(const S&... sources) {
  constexpr bool sequences = (random_access<S> && ...);
  static_assert(sequences,
                "join: every argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a scan or a reduce_by_key first");
  if constexpr (sequences) {
    return joined_sequence<S...>{tuple_of<S...>(sources...)};
  }
}

}  // namespace fettle::ndp
