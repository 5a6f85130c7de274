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

template <typename Team, typename S>
[[nodiscard]] __device__ decltype(auto) program_argument(const S& source, index_t i) {
  if constexpr (nested<S>) {
    return typename ndp::detail::bound_element<S, Team>::type(source[i]);
  } else {
    return source[i];
  }
}

/// What the function made of row i, into the destination.
template <typename Resource, int Items, typename E, typename D, typename Made>
__device__ void store_made(const E& e, const D& destination, index_t i, const Made& made) {
  if constexpr (sequence_like<Made>) {
    const auto to = row_destination(e, destination, i, made.size());
    if constexpr (is_kept_v<Made>) {
      for_each_kept<Resource, Items>(made.size(), [&](int k, index_t at, bool inside) {
        const auto value = kept_element(made, k, at);
        if (inside) store(to[at], value);
      });
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
    store_made<Resource, Items>(
        e, destination, i, e.function.function(program_argument<Team>(get<Is>(e.sources), i)...));
  }(std::index_sequence_for<S...>{});
}

/// Whether the function of E may be given rows that are kept in registers.
template <typename E>
inline constexpr bool keeps_all_rows_v = false;
template <typename F, typename... S>
inline constexpr bool keeps_all_rows_v<transformed_sequence<F, S...>> = (keeps_rows_v<S> && ...);

/// Blocks that a multiprocessor runs at once at least, which bounds registers: as many threads as
/// what they keep of E's rows leaves room for. (Left to itself, nvcc takes 48 registers for a
/// softmax that runs in 40.)
template <int Threads, int Items, bool AllFit, typename E>
inline constexpr int least_blocks_v = [] {
  constexpr std::size_t bytes = std::size_t{Items} * row_value_bytes_v<E>;
  // Of numbers of 8 bytes an exponential takes twice the registers, too.
  constexpr bool is_wide = row_value_bytes_v<E> > 4;
  constexpr int threads = is_wide       ? (bytes <= 32 ? 1024 : 640)
                          : bytes <= 32 ? (AllFit ? 1536 : 1280)
                                        : 1024;
  return threads > Threads ? threads / Threads : 1;
}();

/// Where all rows are known to fit, nothing else is compiled: it would cost registers.
template <int Threads, typename Resource, int Items, bool AllFit, typename E, typename D>
__global__
__launch_bounds__(Threads, least_blocks_v<Threads, Items, AllFit, E>) void programs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count,
    index_t teams) {
  constexpr int per_block = Threads / Resource::size;
  const index_t team = index_t{blockIdx.x} * per_block + Resource::index_in_block();
  if (team >= teams) return;
  for (index_t i = team; i < count; i += teams) {
    if constexpr (Items > 0 && keeps_all_rows_v<E>) {
      if (AllFit || rows_fit(e.sources, i, keeping_team<Resource, Items>::longest)) {
        run_program<keeping_team<Resource, Items>, Resource, Items>(e, destination, i);
        continue;
      }
    }
    if constexpr (!(AllFit && Items > 0 && keeps_all_rows_v<E>)) {
      run_program<reading_team<Resource>, Resource, Items>(e, destination, i);
    }
  }
}

/// A row for each of so many teams of `Resource` in blocks of `Threads`, whose members keep up to
/// Items elements; one team for all rows where they come one after the other.
template <int Threads, typename Resource, int Items, bool AllFit = false, typename E, typename D>
void launch_programs(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination, bool one_by_one = false) {
  constexpr index_t per_block = Threads / Resource::size;
  const index_t count = e.size();
  if (count == 0) return;
  const index_t blocks = one_by_one ? 1 : blocks_for(count, per_block);
  launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), dim3(Threads), 0,
         programs_kernel<Threads, Resource, Items, AllFit, E, D>, e, destination, count,
         one_by_one ? 1 : blocks * per_block);
}

/// By hand.
template <typename Policy, typename Resource, typename E, typename D>
void run_programs(const platform::cuda& on, const computation& named, const E& e,
                  const D& destination, bool one_by_one = false) {
  launch_programs<threads_v<Policy>, Resource, level_v<Policy, 1>.grain_size>(
      on, named, e, destination, one_by_one);
}

/// Without a schedule: as many members as keep a usual row, four elements each of short ones.
/// Blocks keep up to 8 elements a thread, or 16 of 4 bytes where they are small; longer rows are
/// read again from the caches, which is faster than more registers. Rows of unknown length get a
/// warp.
template <program_node E, typename D>
void run_programs_by_default(const platform::cuda& on, const computation& named, const E& e,
                             const D& destination) {
  constexpr bool is_wide = row_value_bytes_v<E> > 4;
  constexpr int most_items = is_wide ? 8 : 16;
  constexpr bool known = has_known_rows_of_all_v<E>;
  index_t size = 0;
  if constexpr (known) {
    size = longest_row(e);
  } else {
    size = usual_row_size(e);
  }
  if (size > 0 && size <= 8) {
    launch_programs<256, warp_resource<2>, 4, known>(on, named, e, destination);
  } else if (size > 0 && size <= 32) {
    launch_programs<256, warp_resource<8>, 4, known>(on, named, e, destination);
  } else if (size > 0 && size <= 64) {
    launch_programs<256, warp_resource<16>, 4, known>(on, named, e, destination);
  } else if (size <= 256) {
    launch_programs<256, warp_resource<32>, 8, known>(on, named, e, destination);
  } else if (size <= 1024) {
    launch_programs<128, block_resource<128, 1>, 8, known>(on, named, e, destination);
  } else if (size <= 256 * most_items) {
    launch_programs<256, block_resource<256, 1>, most_items, known>(on, named, e, destination);
  } else if (!known || size <= 8192) {
    launch_programs<1024, block_resource<1024, 1>, 8, known>(on, named, e, destination);
  } else if (known && size <= 16384) {
    launch_programs<1024, block_resource<1024, 1>, 16, known>(on, named, e, destination);
  } else if constexpr (known) {
    launch_programs<1024, block_resource<1024, 1>, 0>(on, named, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
