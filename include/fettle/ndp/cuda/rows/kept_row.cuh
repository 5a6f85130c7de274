// kept_row: a row whose elements the members of a team keep in registers while a row program runs.
//
// Member r of a team of n keeps elements r, r + n, r + 2 n, ... A map of kept rows is computed at
// once and kept too; a reduce combines what is kept. An element that the function asks for by its
// index is read from the row's memory, or computed anew.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace cuda::detail {

/// Rank 0's value, for all members of Resource.
template <typename Resource, typename T>
[[nodiscard]] __device__ T shared_by_all(const T& value) {
  if constexpr (Resource::size == 1) {
    return value;
  } else if constexpr (Resource::size <= 32) {
    return Resource::from_lane(value, 0);
  } else {
    __shared__ alignas(T) unsigned char room[sizeof(T)];
    if (Resource::rank() == 0) memcpy(room, &value, sizeof(T));
    Resource::wait();
    T all = value;
    memcpy(&all, room, sizeof(T));
    Resource::wait();  // the room may be used again
    return all;
  }
}

/// A team of Resource's members that read the row each time.
template <typename Resource>
struct reading_team {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE auto reduce(const Op& op, const S& source,
                                                      const P& seed) {
    using namespace ndp::detail;
    using reduction = reduced<Op, without_teams_t<S>, P>;
    const reduction all{op, unbound(source), seed};
#ifdef __CUDA_ARCH__
    if constexpr (is_combinable_v<reduction>) {
      using T = typename reduction::value_type;
      auto value = partial_value<Op, T>::of(static_cast<T>(seed));
      value.append(op, fold<Resource, true, Op, T>(op, all.source, 0, all.source.size()));
      return shared_by_all<Resource>(value.value);
    }
#endif
    return all.evaluate();
  }
};

template <typename Resource, int Items>
struct keeping_team;

/// S has an element for each of a kept row's, so that what a member keeps is all it needs.
template <typename S>
inline constexpr bool is_kept_v = false;
template <typename Row, typename Resource, int Items>
inline constexpr bool is_kept_v<ndp::detail::bound_row<Row, keeping_team<Resource, Items>>> = true;
template <typename F, typename... S>
inline constexpr bool is_kept_v<transformed_sequence<F, S...>> = (is_kept_v<S> || ...);
template <typename... S>
inline constexpr bool is_kept_v<zipped_sequence<S...>> = (is_kept_v<S> || ...);

template <typename T>
inline constexpr bool fits_registers_v =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16;

/// Element `k` of those that the calling member keeps, which is element `i` of all.
template <typename S>
[[nodiscard]] __device__ decltype(auto) kept_element(const S& s, [[maybe_unused]] int k,
                                                     [[maybe_unused]] index_t i) {
  return s[i];
}
template <typename Row, typename Resource, int Items>
[[nodiscard]] __device__ const auto& kept_element(
    const ndp::detail::bound_row<Row, keeping_team<Resource, Items>>& row, int k, index_t /*i*/) {
  return row.kept[k];
}
template <typename F, typename... S>
[[nodiscard]] __device__ auto kept_element(const transformed_sequence<F, S...>& s, int k,
                                           index_t i) {
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return s.function(kept_element(get<Is>(s.sources), k, i)...);
  }(std::index_sequence_for<S...>{});
}
template <typename... S>
[[nodiscard]] __device__ auto kept_element(const zipped_sequence<S...>& s, int k, index_t i) {
  using values = typename zipped_sequence<S...>::value_type;
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return values(
        tuple_of<std::remove_cvref_t<element_t<S>>...>(kept_element(get<Is>(s.sources), k, i)...));
  }(std::index_sequence_for<S...>{});
}

/// visit(k, i, inside) for the Items elements that the calling member may keep of `size`. Beyond
/// the row's end `inside` is false, and `i` the last element: without branches all loads of a
/// member are issued together (a softmax of 16384 rows of 1024 floats: 47 us in place of 64 on an
/// H100).
template <typename Resource, int Items, typename Visit>
__device__ void for_each_kept(index_t size, const Visit& visit) {
  const int rank = Resource::rank();
  const int last = static_cast<int>(size) - 1;
  if (last < 0) return;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const int i = rank + k * Resource::size;
    visit(k, index_t{i < last ? i : last}, i <= last);
  }
}

/// Bytes of a map that a member keeps at most.
inline constexpr std::size_t most_kept_bytes = 64;

/// A team of Resource's members that keep up to Items elements each, of rows of at most
/// Resource::size * Items elements.
template <typename Resource, int Items>
struct keeping_team {
  static constexpr index_t longest = index_t{Resource::size} * Items;

  /// A map of kept rows, kept.
  template <typename F, typename... S>
    requires(is_kept_v<S> || ...)
  [[nodiscard]] static FETTLE_HOST_DEVICE auto map(const F& function, const S&... sources) {
    using namespace ndp::detail;
    using mapped = transformed_sequence<F, S...>;
    const mapped here{function, tuple_of<S...>(sources...)};
    using value_type = typename mapped::value_type;
    // Together with the row, which may be needed again, a map takes twice the registers: where a
    // row takes many already, elements are computed anew each time.
    constexpr bool has_room = static_cast<unsigned>(Items) * sizeof(value_type) <= most_kept_bytes;
    if constexpr (has_room && fits_registers_v<value_type> && !operation<value_type>) {
      bound_row<without_teams_t<mapped>, keeping_team> out(unbound(here), not_kept{});
#ifdef __CUDA_ARCH__
      for_each_kept<Resource, Items>(
          here.size(), [&](int k, index_t i, bool) { out.kept[k] = kept_element(here, k, i); });
#endif
      return out;
    } else {
      return here;
    }
  }

  template <typename Op, typename S, typename P>
  [[nodiscard]] static FETTLE_HOST_DEVICE auto reduce(const Op& op, const S& source,
                                                      const P& seed) {
    using namespace ndp::detail;
    using reduction = reduced<Op, without_teams_t<S>, P>;
#ifdef __CUDA_ARCH__
    if constexpr (is_kept_v<S> && is_commutative_v<Op> && is_combinable_v<reduction>) {
      using T = typename reduction::value_type;
      auto mine = partial_value<Op, T>::none();
      for_each_kept<Resource, Items>(source.size(), [&](int k, index_t i, bool inside) {
        const T value = static_cast<T>(kept_element(source, k, i));
        if constexpr (uses_identity_v<Op, T>) {
          mine.append(op, inside ? value : Op::template identity<T>());
        } else if (inside) {
          mine.append(op, value);
        }
      });
      auto value = partial_value<Op, T>::of(static_cast<T>(seed));
      value.append(op, Resource::combine(op, mine));
      return shared_by_all<Resource>(value.value);
    }
#endif
    return reading_team<Resource>::reduce(op, source, seed);
  }

  struct not_kept {};
};

}  // namespace cuda::detail

namespace detail {

/// Beyond the row's end its last element is kept again; of an empty row nothing is.
template <typename Row, typename Resource, int Items>
struct bound_row<Row, cuda::detail::keeping_team<Resource, Items>> : Row {
  using team_type = cuda::detail::keeping_team<Resource, Items>;
  using kept_type = typename Row::value_type;

  FETTLE_HOST_DEVICE explicit bound_row(const Row& row) : Row(row) {
#ifdef __CUDA_ARCH__
    cuda::detail::for_each_kept<Resource, Items>(
        row.size(), [&](int k, index_t i, bool) { kept[k] = static_cast<kept_type>(row[i]); });
#endif
  }
  FETTLE_HOST_DEVICE bound_row(const Row& row, typename team_type::not_kept /*yet*/) : Row(row) {}

  kept_type kept[static_cast<unsigned>(Items)];
};

}  // namespace detail

}  // namespace fettle::ndp
