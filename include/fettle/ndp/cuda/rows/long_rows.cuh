// long_rows: rows that are too long for the lanes that they got. A first kernel lists them; a
// second one, which is on its way while the first runs, gives each as many lanes as it needs, and
// takes very long ones in pieces (row_pieces.cuh).
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/row_pieces.cuh>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// How many rows are listed is the stream's second tally (arrival_counter.cuh).
template <typename Partial>
struct long_row_list {
  cut_row_list<Partial> cut{};
  unsigned* rows = nullptr;
  unsigned capacity = 0;  // none: no row is left

  /// By one thread. False where there is no room for row i, of `size` atoms.
  template <typename E>
  [[nodiscard]] __device__ bool add(const E& e, index_t i, index_t size) const {
    if (capacity == 0) return false;
    if (size > adaptive_rows_plan::very_long_of_warp) {
      const auto& shape = outer_shape(e);
      if (cut.add({i, shape.row_begin(i), shape.row_begin(i + 1)}, size)) return true;
    }
    const unsigned at = atomicAdd(cut.counter.second_tally(), 1U);
    if (at >= capacity) return false;
    rows[at] = static_cast<unsigned>(i);
    return true;
  }
};

/// Listed rows [0, count) by the warps of all blocks: four at once, eight lanes each; or one, where
/// it is long.
template <typename E, typename D>
__device__ void reduce_long_rows(const E& e, const D& destination, const unsigned* rows,
                                 unsigned count) {
  using eight = warp_resource<8>;
  using warp = warp_resource<32>;
  constexpr unsigned at_once = warp::size / eight::size;
  constexpr int all = warp::size;
  constexpr index_t most_of_eight = 256;
  const unsigned number = (blockIdx.x * blockDim.x + threadIdx.x) / all;
  const unsigned step = gridDim.x * blockDim.x / all * at_once;
  for (unsigned base = number * at_once; base < count; base += step) {
    const unsigned own = base + static_cast<unsigned>(warp::rank()) / eight::size;
    index_t i = -1;
    bool is_long = false;
    if (own < count) {
      i = rows[own];
      is_long = e[i].source.size() > most_of_eight;
      if (!is_long) realise_row<plain_policy, 0, eight>(e, destination, i);
    }
    unsigned long_ones = __ballot_sync(warp::mask(), is_long && eight::rank() == 0);
    for (; long_ones != 0; long_ones &= long_ones - 1) {
      const index_t one = warp::from_lane(i, __ffs(static_cast<int>(long_ones)) - 1);
      realise_row<plain_policy, 0, warp>(e, destination, one);
    }
  }
}

template <int Threads, typename E, typename D, typename Partial>
__global__ __launch_bounds__(Threads) void long_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, bool same_rows,
    const __grid_constant__ long_row_list<Partial> list) {
  wait_for_kernel_before();
  const arrivals& counter = list.cut.counter;
  const unsigned long long tally = *counter.tally();
  const unsigned listed = *counter.second_tally();
  if (tally == 0 && listed == 0) return;
  reduce_pieces<Threads>(e, destination, same_rows, list.cut, tally);
  reduce_long_rows(e, destination, list.rows, listed < list.capacity ? listed : list.capacity);
  if (threadIdx.x == 0 && counter.is_last(gridDim.x)) {
    *counter.tally() = 0;
    *counter.second_tally() = 0;
  }
}

/// What the second kernel is given, in one piece of memory: cut rows, their pieces' sums, and the
/// indices of other long rows.
template <typename Partial>
class long_row_memory {
 public:
  long_row_memory(const platform::cuda& on, const computation& named, index_t cut_rows,
                  index_t pieces, index_t listed)
      : sums_(after(0, cut_rows, sizeof(cut_row))),
        rows_(after(sums_, pieces, sizeof(Partial))),
        memory_(on, named, after(rows_, listed, sizeof(unsigned))) {
    list_.cut.row_capacity = static_cast<unsigned>(cut_rows);
    list_.cut.piece_capacity = static_cast<unsigned>(pieces);
    list_.capacity = static_cast<unsigned>(listed);
    unsigned char* const begin = memory_.data();
    list_.cut.in_workspace(reinterpret_cast<cut_row*>(begin),
                           reinterpret_cast<Partial*>(begin + sums_));
    list_.rows = reinterpret_cast<unsigned*>(begin + rows_);
  }

  [[nodiscard]] long_row_list<Partial> list(const arrival_counter& counter) const {
    long_row_list<Partial> all = list_;
    all.cut.counter = counter.get();
    return all;
  }

 private:
  [[nodiscard]] static index_t after(index_t begin, index_t count, std::size_t bytes) {
    constexpr index_t alignment = 256;
    return begin + ceiling_quotient(count * static_cast<index_t>(bytes), alignment) * alignment;
  }

  index_t sums_;
  index_t rows_;
  workspace<unsigned char> memory_;
  long_row_list<Partial> list_{};
};

/// The second kernel, by two blocks a multiprocessor.
template <typename E, typename D, typename Partial>
void launch_long_rows(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination, const long_row_list<Partial>& list) {
  const dim3 sharers(static_cast<unsigned>(2 * current_device_facts(named).multiprocessors));
  launch_early(named, on.stream, sharers, dim3(adaptive_rows_plan::threads),
               long_rows_kernel<adaptive_rows_plan::threads, E, D, Partial>, e, destination,
               have_same_rows(e), list);
}

}  // namespace fettle::ndp::cuda::detail
