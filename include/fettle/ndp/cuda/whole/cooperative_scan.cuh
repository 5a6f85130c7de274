// cooperative_scan: one seeded scan, exclusive or inclusive, by the whole device.
//
// A short one is a single launch of one cluster: every block reduces a chunk, hands the result to
// the others through shared memory, and scans its chunk after what lies before it. A longer one is
// a kernel in which they do so through device memory (scan_by_posts.cuh), and the longest are
// cub::DeviceScan's, with CUB's own tuning, whose blocks pass on prefixes as they come: sums of
// floating-point numbers may then differ in the last bits from run to run. A scan may overwrite its
// source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/cub_iterator.cuh>
#include <fettle/ndp/cuda/block/cub_operator.cuh>
#include <fettle/ndp/cuda/block/output_iterator.cuh>
#include <fettle/ndp/cuda/block/scan_range.cuh>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/library_call.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/cooperative_reduce.cuh>
#include <fettle/ndp/cuda/whole/reduce_plan.hpp>
#include <fettle/ndp/cuda/whole/scan_by_posts.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

// Pointers where there are some, so that CUB can read and write several elements at once; it
// converts what it reads.
template <typename T, typename S>
[[nodiscard]] auto input_for_cub(const S& s) {
  return element_iterator<S, T>{s};
}
template <typename T, typename U>
[[nodiscard]] const U* input_for_cub(const sequence<U>& s) {
  return s.data();
}
template <typename T, typename D>
[[nodiscard]] auto output_for_cub(const D& d) {
  return output_to<T>(store_to<D>{d});
}
template <typename T>
[[nodiscard]] T* output_for_cub(const sequence<T>& d) {
  return d.data();
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// Waits until all threads of the cluster are here, and see what the others have written. (What
/// cooperative_groups::cluster_group does; its header takes a second to compile.)
__device__ inline void synchronize_cluster() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}
#endif

template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void scan_cluster_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination) {
  using T = typename E::value_type;
  using partial = partial_value<decltype(e.op), T>;
  constexpr level its = level_v<Policy, 0>;
  using scan = range_scan<whole_block_t<Policy>, its.block_scan_algo, its.block_scan_grain_size,
                          E::is_inclusive>;
  const auto put = [&](index_t i, const T& value) { store(destination[i], value); };
  const index_t count = e.size();
#if __CUDA_ARCH__ >= 900
  const unsigned int rank = __clusterRelativeBlockRank();
  const unsigned int blocks = __clusterSizeInBlocks();
  if (blocks > 1) {
    constexpr index_t unit = chunk_unit_v<decltype(e.source)>;
    __shared__ alignas(partial) unsigned char total_bytes[sizeof(partial)];
    __shared__ alignas(partial) unsigned char before_bytes[sizeof(partial)];
    auto* const total = reinterpret_cast<partial*>(total_bytes);
    auto* const before = reinterpret_cast<partial*>(before_bytes);
    const partial mine = fold_chunk<Policy>(e, rank, blocks);
    if (thread_in_block() == 0) *total = mine;
    synchronize_cluster();
    if (thread_in_block() == 0) {
      partial sum = partial::of(static_cast<T>(e.seed));
      for (unsigned int i = 0; i < rank; ++i) {
        sum.append(e.op, *static_cast<const partial*>(__cluster_map_shared_rank(total, i)));
      }
      *before = sum;
    }
    synchronize_cluster();  // a block's memory must outlive its readers
    scan::run(e.op, e.source, chunk_begin(rank, blocks, count, unit),
              chunk_begin(rank + 1, blocks, count, unit), before->value, put);
    return;
  }
#endif
  if (blockIdx.x == 0) scan::run(e.op, e.source, 0, count, static_cast<T>(e.seed), put);
}

template <typename E, typename D>
void scan_by_cub(const platform::cuda& on, const computation& named, const E& e,
                 const D& destination) {
  using T = typename E::value_type;
  const auto seed = static_cast<T>(e.seed);
  const index_t count = e.size();
  // CUB counts tiles of at least 128 elements in 32 bits.
  constexpr index_t most = index_t{1} << 38;
  if (count > most) {
    throw error(std::string(named.name) + ": a scan of " + std::to_string(count) +
                " elements is more than the GPU's scan can count: scan it in parts");
  }
  const auto scan_counted = [e, destination, seed, stream = on.stream](
                                void* memory, std::size_t& bytes, auto n) -> cudaError_t {
    if constexpr (E::is_inclusive) {
      // CUB's that takes a seed is younger than the oldest CUB that Fettle runs with.
      const auto out = output_to<T>(store_seeded<D, decltype(e.op), T>{destination, e.op, seed});
      const auto op = cub_operator<decltype(e.op), T>(e.op);
      return cub::DeviceScan::InclusiveScan(memory, bytes, iterator_over<T>(e.source), out, op, n,
                                            stream);
    } else {
      const auto in = input_for_cub<T>(e.source);
      using element = typename std::iterator_traits<std::remove_const_t<decltype(in)>>::value_type;
      const auto op = cub_operator<decltype(e.op), T, element>(e.op);
      return cub::DeviceScan::ExclusiveScan(memory, bytes, in, output_for_cub<T>(destination), op,
                                            seed, n, stream);
    }
  };
  const auto scan = [scan_counted, count](void* memory, std::size_t& bytes) {
    return with_short_count(count, [&](auto n) { return scan_counted(memory, bytes, n); });
  };
  call_library(on, named, "launching a scan", count, scan);
}

/// cooperative on a scan, by all of the device.
template <typename Policy, typename E, typename D>
void run_device_scan(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  if constexpr (!is_combinable_v<E>) {
    run_single<Policy, thread_resource, true>(on, named, e, destination);
  } else {
    const index_t count = e.size();
    if (count == 0) return;
    constexpr index_t tile = index_t{threads_v<Policy>} * level_v<Policy, 0>.block_scan_grain_size;
    const int blocks = plan_scan(count, sizeof(typename E::value_type), tile,
                                 current_device_facts(named).has_clusters());
    if (blocks == 0) {
      if (!scan_by_posts<Policy>(on, named, e, destination)) {
        scan_by_cub(on, named, e, destination);
      }
      return;
    }
    const auto cluster = static_cast<unsigned int>(blocks);
    launch_clusters(named, on.stream, cluster, dim3(cluster), block_of<Policy>(), 0,
                    scan_cluster_kernel<Policy, E, D>, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
