// row_program: maps whose function is a row program, a row for each logical warp or block. All
// members call the function; rows that are short enough are kept in registers, others are read
// again from the caches, by the same kernel.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/rows/kept_row.cuh>
#include <fettle/ndp/cuda/rows/program_rows.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether the function may be given S's elements as rows kept in registers.
template <typename S>
inline constexpr bool keeps_rows_v = [] {
  if constexpr (nested<S> && random_access<element_t<S>>) {
    using value_type = typename program_row_t<S>::value_type;
    return fits_registers_v<value_type> && !sequence_like<value_type>;
  } else {
    return !nested<S>;
  }
}();

/// Whether the rows i of all arguments have at most `longest` elements.
template <typename... S>
[[nodiscard]] __device__ bool rows_fit(const tuple<S...>& sources, index_t i, index_t longest) {
  const auto fits = [&](const auto& source) {
    if constexpr (nested<std::remove_cvref_t<decltype(source)>>) {
      return source[i].size() <= longest;
    } else {
      return true;
    }
  };
  return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    return (fits(get<Is>(sources)) && ...);
  }(std::index_sequence_for<S...>{});
}

/// What a kernel leaves to the next one (long_programs.cuh): rows of more than `longest` elements,
/// none where that is negative. Where it has left any, the counter's tally is not zero.
struct left_programs {
  index_t longest = -1;
  arrivals counter{};

  template <typename E>
  [[nodiscard]] __device__ bool leaves(const E& e, index_t i) const {
    return longest >= 0 && !rows_fit(e.sources, i, longest);
  }
  /// By one thread.
  __device__ void tell() const { atomicAdd(counter.tally(), 1ULL); }
};

template <typename Team, typename S>
[[nodiscard]] __device__ decltype(auto) program_argument(const S& source, index_t i) {
  if constexpr (nested<S>) {
    return typename ndp::detail::bound_element<S, Team>::type(source[i]);
  } else {
    return source[i];
  }
}

/// What the function made of row i, into the destination.
template <typename Team, typename Resource, int Items, typename E, typename D, typename Made>
__device__ void store_made(const E& e, const D& destination, index_t i, const Made& made) {
  if constexpr (sequence_like<Made>) {
    const auto to = row_destination(e, destination, i, made.size());
    if constexpr (is_kept_v<Made>) {
      for_each_kept<Resource, Items, Team::skips>(made.size(), [&](int k, kept_place at) {
        const auto value = kept_element(made, k, at.nearest());
        if (at.is_inside()) store(to[at.i], value);
      });
    } else if constexpr (std::is_same_v<Team, walking_team<Resource>>) {
      walk<Resource>(ndp::detail::unbound(made), to);
    } else {
      realise_by<constant<policy{}>, 1, Resource>(ndp::detail::unbound(made), to);
    }
  } else if (Resource::rank() == 0) {
    store(destination[i], made);
  }
}

template <typename Team, typename Resource, int Items, typename F, typename... S, typename D>
__device__ void run_program(const transformed_sequence<F, S...>& e, const D& destination,
                            index_t i) {
  [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    store_made<Team, Resource, Items>(
        e, destination, i, e.function.function(program_argument<Team>(get<Is>(e.sources), i)...));
  }(std::index_sequence_for<S...>{});
}

/// Whether the function of E may be given rows that are kept in registers.
template <typename E>
inline constexpr bool keeps_all_rows_v = false;
template <typename F, typename... S>
inline constexpr bool keeps_all_rows_v<transformed_sequence<F, S...>> = (keeps_rows_v<S> && ...);

/// Threads that a multiprocessor is to run at once where each needs few registers: all of the
/// architectures that have 2048, and what suits the others, where such a bound would be ignored.
#if defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ < 800 || (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
inline constexpr int threads_at_once = 1280;
#else
inline constexpr int threads_at_once = 2048;
#endif

/// Blocks that a multiprocessor runs at once at least, which bounds registers: as many threads as
/// what they keep of E's rows leaves room for. (Left to itself, nvcc takes 48 registers for a
/// softmax that runs in 40.) Alone: each team has one row, and nothing to count.
template <int Threads, int Items, bool AllFit, bool Alone, typename E>
inline constexpr int least_blocks_v = [] {
  constexpr std::size_t bytes = std::size_t{Items} * row_value_bytes_v<E>;
  // Of numbers of 8 bytes an exponential takes twice the registers, too: eight of them are many.
  constexpr bool is_wide = row_value_bytes_v<E> > 4;
  constexpr int narrow = Alone && Items > 0 ? threads_at_once : AllFit ? 1536 : 1280;
  constexpr int threads = is_wide ? (bytes < 64 ? 1024 : 640) : bytes <= 32 ? narrow : 1024;
  return threads > Threads ? threads / Threads : 1;
}();

template <int Threads, int Items, typename E>
inline constexpr int least_short_blocks_v = least_blocks_v<Threads, Items, false, true, E>;

/// Whether row i is for a team of `Resource`, whose members keep up to Items elements, or walk it
/// where they keep none; a whole warp walks any.
template <typename Resource, int Items, typename E>
[[nodiscard]] __device__ bool suits_team(const E& e, index_t i) {
  if constexpr (Items == 0 && Resource::size >= 32) {
    return true;
  } else {
    constexpr index_t most_walked = 64;
    constexpr index_t longest = Items > 0 ? keeping_team<Resource, Items>::longest : most_walked;
    return rows_fit(e.sources, i, longest);
  }
}

/// Where all rows are known to fit, nothing else is compiled: it would cost registers.
template <int Threads, typename Resource, int Items, bool AllFit, typename E, typename D>
__global__
__launch_bounds__(Threads, least_blocks_v<Threads, Items, AllFit, false, E>) void programs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count,
    index_t teams, const left_programs left) {
  constexpr int per_block = Threads / Resource::size;
  constexpr bool keeps = Items > 0 && keeps_all_rows_v<E>;
  using reading = std::conditional_t<(Resource::size == 1 && has_sliding_rows_v<E>), window_team,
                                     reading_team<Resource>>;
  const index_t team = index_t{blockIdx.x} * per_block + Resource::index_in_block();
  if (team >= teams) return;
  for (index_t i = team; i < count; i += teams) {
    if constexpr (!AllFit && Resource::size == 32) {
      if (left.leaves(e, i)) {
        if (Resource::rank() == 0) left.tell();
        continue;
      }
    }
    if constexpr (keeps) {
      if (AllFit || suits_team<Resource, Items>(e, i)) {
        run_program<keeping_team<Resource, Items>, Resource, Items>(e, destination, i);
        continue;
      }
    }
    if constexpr (!keeps) {
      run_program<reading, Resource, Items>(e, destination, i);
    } else if constexpr (!AllFit) {
      using long_team = std::conditional_t<(Resource::size <= 32), walking_team<Resource>,
                                           reading_team<Resource>>;
      run_program<long_team, Resource, Items>(e, destination, i);
    }
  }
}

/// The same of rows of unknown lengths by teams of a warp or part of one: a row that turns out to
/// be long is the whole warp's, after the others.
template <int Threads, typename Resource, int Items, typename E, typename D>
__global__
__launch_bounds__(Threads, least_short_blocks_v<Threads, Items, E>) void short_programs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count,
    const left_programs left) {
  using warp = warp_resource<32>;
  using team =
      std::conditional_t<(Items > 0), keeping_team<Resource, (Items > 0 ? Items : 1), true>,
                         reading_team<Resource>>;
  constexpr int at_once = warp::size / Resource::size;
  const index_t first =
      (index_t{blockIdx.x} * (Threads / warp::size) + warp::index_in_block()) * at_once;
  const index_t i = first + warp::rank() / Resource::size;
  const bool suits = i >= count || suits_team<Resource, Items>(e, i);
  if (i < count && suits) run_program<team, Resource, Items>(e, destination, i);
  unsigned others = __ballot_sync(warp::mask(), !suits && Resource::rank() == 0);
  for (; others != 0; others &= others - 1) {
    const index_t row = first + (__ffs(static_cast<int>(others)) - 1) / Resource::size;
    if (left.leaves(e, row)) {
      if (warp::rank() == 0) left.tell();
    } else {
      run_program<walking_team<warp>, warp, 0>(e, destination, row);
    }
  }
}

/// A row for each of so many teams of `Resource` in blocks of `Threads`, whose members keep up to
/// Items elements; one team for all rows where they come one after the other.
/// Rows are left to another kernel by warps only.
template <int Threads, typename Resource, int Items, bool AllFit = false, typename E, typename D>
void launch_programs(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination, bool one_by_one = false,
                     const left_programs& left = {}) {
  constexpr index_t per_block = Threads / Resource::size;
  const index_t count = e.size();
  if (count == 0) return;
  const index_t blocks = one_by_one ? 1 : blocks_for(count, per_block);
  launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), dim3(Threads), 0,
         programs_kernel<Threads, Resource, Items, AllFit, E, D>, e, destination, count,
         one_by_one ? 1 : blocks * per_block, left);
}

/// A row for each team of `Resource`, which is a warp or less and keeps up to Items elements a
/// member, or walks the row where the function may not be given kept ones.
template <int Threads, typename Resource, int Items, typename E, typename D>
void launch_short_programs(const platform::cuda& on, const computation& named, const E& e,
                           const D& destination, const left_programs& left = {}) {
  constexpr int items = keeps_all_rows_v<E> ? Items : 0;
  const index_t count = e.size();
  if (count == 0) return;
  launch(named, on.stream, dim3(blocks_for(count, Threads / Resource::size)), dim3(Threads), 0,
         short_programs_kernel<Threads, Resource, items, E, D>, e, destination, count, left);
}

/// By hand.
template <typename Policy, typename Resource, typename E, typename D>
void run_programs(const platform::cuda& on, const computation& named, const E& e,
                  const D& destination, bool one_by_one = false) {
  constexpr int items = level_v<Policy, 1>.grain_size;
  if constexpr (Resource::size <= 32 && threads_v<Policy> % 32 == 0 && items > 0 &&
                keeps_all_rows_v<E>) {
    if (!one_by_one) {
      launch_short_programs<threads_v<Policy>, Resource, items>(on, named, e, destination);
      return;
    }
  }
  launch_programs<threads_v<Policy>, Resource, items>(on, named, e, destination, one_by_one);
}

}  // namespace fettle::ndp::cuda::detail
