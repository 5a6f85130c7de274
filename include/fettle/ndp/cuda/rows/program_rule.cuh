// program_rule: which team gets a row of a row program that has no schedule, from what the host
// knows of the rows' lengths.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/rows/long_programs.cuh>
#include <fettle/ndp/cuda/rows/program_rows.hpp>
#include <fettle/ndp/cuda/rows/row_program.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of rows of one length. Short or many windows are a thread's each: what neighbouring threads read
/// lies side by side, and most of it is in the cache. Of others: as many members as keep a row in
/// registers, four elements each of short ones, and up to 16 each of long ones. Rows of more than
/// 16384 elements are read again from the caches.
template <program_node E, typename D>
void run_known_programs(const platform::cuda& on, const computation& named, const E& e,
                        const D& destination) {
  constexpr int most_items = row_value_bytes_v<E> > 4 ? 8 : 16;
  const index_t size = longest_row(e);
  if constexpr (has_sliding_rows_v<E> && !sequence_like<element_of_t<E>>) {
    constexpr index_t short_window = 64;
    const bool are_many = e.size() >= 512 * current_device_facts(named).multiprocessors;
    if (size <= short_window || are_many) {
      return launch_programs<256, thread_resource, 0>(on, named, e, destination);
    }
  }
  if (size <= 8) {
    launch_programs<256, warp_resource<2>, 4, true>(on, named, e, destination);
  } else if (size <= 32) {
    launch_programs<256, warp_resource<8>, 4, true>(on, named, e, destination);
  } else if (size <= 64) {
    launch_programs<256, warp_resource<16>, 4, true>(on, named, e, destination);
  } else if (size <= 256) {
    launch_programs<256, warp_resource<32>, 8, true>(on, named, e, destination);
  } else if (size <= 1024) {
    launch_programs<128, block_resource<128, 1>, 8, true>(on, named, e, destination);
  } else if (size <= 256 * most_items) {
    launch_programs<256, block_resource<256, 1>, most_items, true>(on, named, e, destination);
  } else if (size <= 8192) {
    launch_programs<1024, block_resource<1024, 1>, 8, true>(on, named, e, destination);
  } else if (size <= 16384) {
    launch_programs<1024, block_resource<1024, 1>, 16, true>(on, named, e, destination);
  } else {
    launch_programs<1024, block_resource<1024, 1>, 0>(on, named, e, destination);
  }
}

/// Of short rows of unknown lengths: a team that keeps at least twice the mean, as a row that does
/// not fit is the whole warp's and holds up the warp's others.
template <program_node E, typename D>
void run_short_programs(const platform::cuda& on, const computation& named, const E& e,
                        const D& destination, index_t size, const left_programs& left) {
  constexpr bool is_wide = row_value_bytes_v<E> > 4;
  constexpr int items = is_wide ? 4 : 8;
  if (size <= 4) {
    launch_short_programs<256, thread_resource, 2 * items>(on, named, e, destination, left);
  } else if (size <= 8) {
    launch_short_programs<256, warp_resource<is_wide ? 4 : 2>, items>(on, named, e, destination,
                                                                      left);
  } else if (!is_wide && size <= 16) {
    launch_short_programs<256, warp_resource<4>, items>(on, named, e, destination, left);
  } else if (size <= (is_wide ? 16 : 32)) {
    launch_short_programs<256, warp_resource<8>, items>(on, named, e, destination, left);
  } else {
    launch_short_programs<256, warp_resource<16>, items>(on, named, e, destination, left);
  }
}

/// Of long rows of unknown lengths: a block that keeps a row in registers where rows are few, and
/// one that reads it again where they are many, of so few threads that several blocks beside it
/// hide its barriers, as long as the cache of a multiprocessor holds all their rows. 5000 rows of
/// 3000 doubles took blocks of 1024 threads 184 us, of 128 threads 50; 1000 rows of 30,000 took 107
/// and 200.
template <program_node E, typename D>
void run_long_programs(const platform::cuda& on, const computation& named, const E& e,
                       const D& destination, index_t size) {
  constexpr auto bytes = static_cast<index_t>(row_value_bytes_v<E>);
  constexpr int items = bytes > 4 ? 8 : 16;
  const bool are_few = e.size() < 2 * current_device_facts(named).multiprocessors;
  if (are_few && size <= 256 * items) {
    launch_programs<256, block_resource<256, 1>, items>(on, named, e, destination);
  } else if (!are_few && size * bytes <= 32 * 1024) {
    launch_programs<128, block_resource<128, 1>, 0>(on, named, e, destination);
  } else if (!are_few && size * bytes <= 64 * 1024) {
    launch_programs<256, block_resource<256, 1>, 0>(on, named, e, destination);
  } else if (size * bytes <= 160 * 1024) {
    launch_programs<512, block_resource<512, 1>, 0>(on, named, e, destination);
  } else {
    launch_programs<1024, block_resource<1024, 1>, 0>(on, named, e, destination);
  }
}

/// Of rows of unknown lengths, by their mean or longest length where the host knows it, else a warp
/// each. Short rows of which a value is made are a thread's, where they are so many that threads
/// are busy: its neighbours need not combine. Many longer rows are a warp's, which reads them
/// again: a block waits for itself, and registers that hold rows of many lengths are empty in part.
template <program_node E, typename D>
void run_unknown_programs(const platform::cuda& on, const computation& named, const E& e,
                          const D& destination) {
  constexpr bool makes_rows = sequence_like<element_of_t<E>>;
  constexpr index_t most_of_warp = 8192 / static_cast<index_t>(row_value_bytes_v<E>);
  const index_t size = usual_row_size(e);
  const index_t multiprocessors = current_device_facts(named).multiprocessors;
  const bool are_many = e.size() >= 16 * multiprocessors;
  const bool fill_threads = e.size() >= 1024 * multiprocessors;
  if (size > 256 && !(are_many && size <= most_of_warp)) {
    if (size > 1024) return run_long_programs(on, named, e, destination, size);
    return launch_programs<128, block_resource<128, 1>, 8>(on, named, e, destination);
  }
  run_with_long_programs(on, named, e, destination, [&](const left_programs& left) {
    if (!makes_rows && size > 0 && size <= (fill_threads ? 32 : 16)) {
      launch_short_programs<256, thread_resource, 0>(on, named, e, destination, left);
    } else if (size > 0 && size <= 64) {
      run_short_programs(on, named, e, destination, size, left);
    } else if (size <= 256) {
      launch_short_programs<256, warp_resource<32>, 8>(on, named, e, destination, left);
    } else {
      launch_programs<256, warp_resource<32>, 0>(on, named, e, destination, false, left);
    }
  });
}

/// Without a schedule.
template <program_node E, typename D>
void run_programs_by_default(const platform::cuda& on, const computation& named, const E& e,
                             const D& destination) {
  if constexpr (has_known_rows_of_all_v<E>) {
    run_known_programs(on, named, e, destination);
  } else {
    run_unknown_programs(on, named, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
