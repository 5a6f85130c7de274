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
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/rows/reading_team.cuh>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace cuda::detail {

template <typename Resource, int Items, bool Skips = false>
struct keeping_team;

/// S has an element for each of a kept row's, so that what a member keeps is all it needs.
template <typename S>
inline constexpr bool is_kept_v = false;
template <typename Row, typename Resource, int Items, bool Skips>
inline constexpr bool is_kept_v<ndp::detail::bound_row<Row, keeping_team<Resource, Items, Skips>>> =
    true;
template <typename F, typename... S>
inline constexpr bool is_kept_v<transformed_sequence<F, S...>> = (is_kept_v<S> || ...);
template <typename... S>
inline constexpr bool is_kept_v<zipped_sequence<S...>> = (is_kept_v<S> || ...);

/// Element `k` of those that the calling member keeps, which is element `i` of all.
template <typename S>
[[nodiscard]] __device__ decltype(auto) kept_element(const S& s, [[maybe_unused]] int k,
                                                     [[maybe_unused]] index_t i) {
  return s[i];
}
template <typename Row, typename Resource, int Items, bool Skips>
[[nodiscard]] __device__ const auto& kept_element(
    const ndp::detail::bound_row<Row, keeping_team<Resource, Items, Skips>>& row, int k,
    index_t /*i*/) {
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

/// Elements that a member visits without a branch: all of them where rows are known to fill the
/// team, so that all loads are issued together (a softmax of 16384 rows of 1024 floats: 47 us in
/// place of 64 on an H100); 2 where rows are of unknown lengths, so that a short row costs little.
template <int Items, bool Skips>
inline constexpr int items_visited_together_v = Skips && Items > 2 ? 2 : Items;

/// Which element of a row the calling member visits. Beyond the row's end there is none, and what
/// is computed nevertheless, without a branch, is of the last one. That index is made anew for each
/// use: all of a member's would fill its registers from the first visit to the last.
struct kept_place {
  int i;
  int last;

  [[nodiscard]] __device__ bool is_inside() const { return i <= last; }
  [[nodiscard]] __device__ index_t nearest() const { return i < last ? i : last; }
};

/// visit(k, place) for the elements that the calling member may keep of `size`. Of the parts that
/// are beyond the row's end for all members, none is visited.
template <typename Resource, int Items, bool Skips, typename Visit>
__device__ void for_each_kept(index_t size, const Visit& visit) {
  constexpr int together = items_visited_together_v<Items, Skips>;
  const int rank = Resource::rank();
  const int last = static_cast<int>(size) - 1;
  if (last < 0) return;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (k > 0 && k % together == 0 && k * Resource::size > last) return;
    visit(k, kept_place{rank + k * Resource::size, last});
  }
}

/// Bytes of a map that a member keeps at most.
inline constexpr std::size_t most_kept_bytes = 64;

/// A team of Resource's members that keep up to Items elements each, of rows of at most
/// Resource::size * Items elements. Skips: rows may be far shorter, and the team is a warp or less.
template <typename Resource, int Items, bool Skips>
struct keeping_team {
  static constexpr index_t longest = index_t{Resource::size} * Items;
  static constexpr bool skips = Skips;

  /// A map of kept rows, kept.
  template <typename F, typename... S>
    requires(is_kept_v<S> || ...)
  [[nodiscard]] static FETTLE_HOST_DEVICE auto map(const F& function, const S&... sources) {
    using namespace ndp::detail;
    using mapped = transformed_sequence<F, S...>;
    const mapped here{function, tuple_of<S...>(sources...)};
    using value_type = typename mapped::value_type;
    // Together with the row, which may be needed again, a map takes twice the registers, and one to
    // wider values, as of elements with their indices, more yet: where a row takes many already,
    // elements are computed anew each time.
    constexpr std::size_t bytes = static_cast<unsigned>(Items) * sizeof(value_type);
    constexpr bool is_wider =
        ((!is_kept_v<S> || sizeof(value_type) > sizeof(typename S::value_type)) && ...);
    constexpr bool has_room = bytes <= (is_wider ? most_kept_bytes / 2 : most_kept_bytes);
    if constexpr (has_room && fits_registers_v<value_type> && !operation<value_type>) {
      bound_row<without_teams_t<mapped>, keeping_team> out(unbound(here), not_kept{});
#ifdef __CUDA_ARCH__
      for_each_kept<Resource, Items, Skips>(here.size(), [&](int k, kept_place at) {
        out.kept[k] = kept_element(here, k, at.nearest());
      });
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
      for_each_kept<Resource, Items, Skips>(source.size(), [&](int k, kept_place at) {
        const T value = static_cast<T>(kept_element(source, k, at.nearest()));
        if constexpr (uses_identity_v<Op, T>) {
          mine.append(op, at.is_inside() ? value : Op::template identity<T>());
        } else if (at.is_inside()) {
          mine.append(op, value);
        }
      });
      auto value = partial_value<Op, T>::of(static_cast<T>(seed));
      if constexpr (Skips) {
        if (source.size() > 0) {
          value.append(op, combined_for_all<Resource>(op, mine.value, source.size()));
        }
        return value.value;
      } else {
        value.append(op, Resource::combine(op, mine));
        return shared_by_all<Resource>(value.value);
      }
    }
#endif
    return reading_team<Resource>::reduce(op, source, seed);
  }

  struct not_kept {};
};

}  // namespace cuda::detail

namespace detail {

/// Beyond the row's end its last element is kept again; of an empty row nothing is.
template <typename Row, typename Resource, int Items, bool Skips>
struct bound_row<Row, cuda::detail::keeping_team<Resource, Items, Skips>> : Row {
  using team_type = cuda::detail::keeping_team<Resource, Items, Skips>;
  using kept_type = typename Row::value_type;

  FETTLE_HOST_DEVICE explicit bound_row(const Row& row) : Row(row) {
#ifdef __CUDA_ARCH__
    cuda::detail::for_each_kept<Resource, Items, Skips>(
        row.size(), [&](int k, cuda::detail::kept_place at) {
          kept[k] = static_cast<kept_type>(row[at.nearest()]);
        });
#endif
  }
  FETTLE_HOST_DEVICE bound_row(const Row& row, typename team_type::not_kept /*yet*/) : Row(row) {}

  kept_type kept[static_cast<unsigned>(Items)];
};

}  // namespace detail

}  // namespace fettle::ndp
