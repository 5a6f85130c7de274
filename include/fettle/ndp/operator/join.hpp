// join(s1, ..., sn): all combinations (x1, ..., xn) with x1 from s1, ..., xn from sn; the last
// varies fastest.
#pragma once

#include <cstdint>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
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
  template <std::size_t Index>
  FETTLE_HOST_DEVICE constexpr index_t sizes_from() const {
    if constexpr (Index == sizeof...(S)) {
      return 1;
    } else {
      return get<Index>(sources).size() * sizes_from<Index + 1>();
    }
  }

  // What is left of i for the sequences before the Place-th, and the index in that one. 64-bit
  // divisions take a GPU several times as long as 32-bit ones.
  template <std::size_t Place>
  FETTLE_HOST_DEVICE constexpr void split(index_t i, index_t* indices) const {
    if constexpr (Place == 0) {
      indices[0] = i;
    } else {
      const index_t size = get<Place>(sources).size();
      index_t left = 0;
      if (((i | size) >> 32) == 0) {
        left = static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(size);
      } else {
        left = i / size;
      }
      indices[Place] = i - left * size;
      split<Place - 1>(left, indices);
    }
  }
  template <std::size_t... Is>
  FETTLE_HOST_DEVICE constexpr tuple<element_t<S>...> at(index_t i,
                                                         std::index_sequence<Is...>) const {
    index_t indices[sizeof...(S)] = {};
    split<sizeof...(S) - 1>(i, indices);
    return tuple_of<element_t<S>...>(get<Is>(sources)[indices[Is]]...);
  }
};

/// As long as the product of the lengths. Cost of an element: n - 1 divisions.
template <typename... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto join(const S&... sources) {
  constexpr bool sequences = (random_access<S> && ...);
  static_assert(sequences,
                "join: every argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S...>) {
    return joined_sequence<S...>{tuple_of<S...>(sources...)};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) == 0)
FETTLE_HOST_DEVICE constexpr invalid_expression join(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) > 0, "join: takes one or more sequences");
  return {};
}

}  // namespace fettle::ndp
