// The patterns of the suite's simple kernels: a thread an iteration, a warp a row, a reduction in
// two passes, a scan in three. Nothing is tuned: 256 threads a block everywhere.
#pragma once

#include <cstddef>
#include <cstring>
#include <cub/block/block_scan.cuh>
#include <cuda_runtime.h>

#include "../../common/ndp/device.cuh"
#include "view.hpp"

namespace suite {

inline constexpr int block_threads = 256;

[[nodiscard]] inline unsigned blocks_for(std::int64_t threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

[[nodiscard]] __device__ inline std::int64_t thread_index() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

template <typename Computation, typename Real, typename... Views>
__global__ void step_kernel(index count, Views... views) {
  const std::int64_t i = thread_index();
  if (i < count) Computation::template step<Real>(static_cast<index>(i), views...);
}

/// A thread for each iteration of the plain loop.
template <typename Computation, typename Real, typename... Views>
void a_thread_each(cudaStream_t stream, index count, Views... views) {
  if (count == 0) return;
  step_kernel<Computation, Real><<<blocks_for(count), block_threads, 0, stream>>>(count, views...);
  ndp_gpu::check(cudaGetLastError(), "a thread each");
}

template <typename Computation, typename Real, int Count, typename In, typename T, typename Out>
__global__ void shared_table_kernel(view<const In> x, view<const T> table, view<Out> y) {
  static_assert(Count <= block_threads);
  __shared__ T copy[Count];
  if (threadIdx.x < Count) copy[threadIdx.x] = table[static_cast<index>(threadIdx.x)];
  __syncthreads();
  const std::int64_t i = thread_index();
  if (i < y.size()) {
    Computation::template step<Real>(static_cast<index>(i), x, view<const T>(copy, Count), y);
  }
}

/// A thread for each iteration of the plain loop; each block copies a table of `Count` elements.
template <typename Computation, typename Real, int Count, typename In, typename T, typename Out>
void a_thread_each_with_table(cudaStream_t stream, view<const In> x, view<const T> table,
                              view<Out> y) {
  shared_table_kernel<Computation, Real, Count>
      <<<blocks_for(y.size()), block_threads, 0, stream>>>(x, table, y);
  ndp_gpu::check(cudaGetLastError(), "a thread each, with a table");
}

template <typename T, typename F>
__global__ void staged_map_kernel(view<const T> x, view<T> y, F f) {
  constexpr int words = sizeof(T) / sizeof(float);
  __shared__ float staged[words * block_threads];
  const std::int64_t first = std::int64_t{words} * blockIdx.x * block_threads;
  const std::int64_t all = std::int64_t{words} * x.size();
  for (int k = threadIdx.x; k < words * block_threads && first + k < all; k += block_threads) {
    staged[k] = reinterpret_cast<const float*>(x.data())[first + k];
  }
  __syncthreads();
  T* const own = reinterpret_cast<T*>(staged) + threadIdx.x;
  if (thread_index() < x.size()) *own = f(*own);
  __syncthreads();
  for (int k = threadIdx.x; k < words * block_threads && first + k < all; k += block_threads) {
    reinterpret_cast<float*>(y.data())[first + k] = staged[k];
  }
}

/// y[i] = f(x[i]), of structs of floats that each block reads and writes float by float.
template <typename T, typename F>
void staged_map(cudaStream_t stream, view<const T> x, view<T> y, F f) {
  staged_map_kernel<<<blocks_for(x.size()), block_threads, 0, stream>>>(x, y, f);
  ndp_gpu::check(cudaGetLastError(), "staged_map");
}

template <typename F>
__global__ void threads_kernel(index count, F f) {
  const std::int64_t i = thread_index();
  if (i < count) f(static_cast<index>(i));
}

/// f(i) for each i in [0, count), by a thread each.
template <typename F>
void for_each_thread(cudaStream_t stream, index count, F f) {
  if (count == 0) return;
  threads_kernel<<<blocks_for(count), block_threads, 0, stream>>>(count, f);
  ndp_gpu::check(cudaGetLastError(), "for_each_thread");
}

template <typename F>
__global__ void warps_kernel(index count, F f) {
  const std::int64_t warp = thread_index() / 32;
  if (warp < count) f(static_cast<index>(warp), static_cast<int>(threadIdx.x % 32));
}

/// f(i, lane) for each i in [0, count), by a warp each.
template <typename F>
void for_each_warp(cudaStream_t stream, index count, F f) {
  if (count == 0) return;
  warps_kernel<<<blocks_for(std::int64_t{32} * count), block_threads, 0, stream>>>(count, f);
  ndp_gpu::check(cudaGetLastError(), "for_each_warp");
}

/// The value of the lane `distance` further up, for any type that can be copied bit by bit.
template <typename T>
[[nodiscard]] __device__ T shuffle_down(const T& value, int distance) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0);
  unsigned words[sizeof(T) / sizeof(unsigned)];
  std::memcpy(words, &value, sizeof value);
  for (unsigned& word : words) word = __shfl_down_sync(~0u, word, distance);
  T result;
  std::memcpy(&result, words, sizeof result);
  return result;
}

/// In lane 0 the values of all lanes, combined in their order.
template <typename T, typename Op>
[[nodiscard]] __device__ T warp_fold(T value, Op op) {
  for (int distance = 1; distance < 32; distance *= 2) {
    value = op(value, shuffle_down(value, distance));
  }
  return value;
}

/// finish(row, element(row, k) op ... for k in the row), by a warp each. Lanes take elements in
/// turn, so that op has to be commutative.
template <typename T, typename Element, typename Op, typename Finish>
void a_warp_a_row(cudaStream_t stream, view<const index> offsets, T identity, Element element,
                  Op op, Finish finish) {
  for_each_warp(stream, offsets.size() - 1, [=] __device__(index row, int lane) {
    T all = identity;
    for (index k = offsets[row] + lane; k < offsets[row + 1]; k += 32) {
      all = op(all, element(row, k));
    }
    all = warp_fold(all, op);
    if (lane == 0) finish(row, all);
  });
}

/// The same where order matters: each lane takes a part of the row.
template <typename T, typename Element, typename Op, typename Finish>
void an_ordered_warp_a_row(cudaStream_t stream, view<const index> offsets, T identity,
                           Element element, Op op, Finish finish) {
  for_each_warp(stream, offsets.size() - 1, [=] __device__(index row, int lane) {
    const index length = offsets[row + 1] - offsets[row];
    const index part = (length + 31) / 32;
    const index first = offsets[row] + min(part * lane, length);
    const index last = offsets[row] + min(part * (lane + 1), length);
    T all = identity;
    for (index k = first; k < last; ++k) all = op(all, element(row, k));
    all = warp_fold(all, op);
    if (lane == 0) finish(row, all);
  });
}

template <typename T, typename Op>
[[nodiscard]] __device__ T block_fold(T value, T identity, Op op) {
  __shared__ alignas(T) unsigned char bytes[32 * sizeof(T)];
  T* const shared = reinterpret_cast<T*>(bytes);
  value = warp_fold(value, op);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? shared[threadIdx.x] : identity;
  __syncthreads();
  return warp_fold(value, op);
}

template <typename T, typename Element, typename Op, typename Finish>
__global__ void fold_kernel(index count, T identity, Element element, Op op, Finish finish) {
  T all = identity;
  for (std::int64_t i = thread_index(); i < count; i += std::int64_t{gridDim.x} * blockDim.x) {
    all = op(all, element(static_cast<index>(i)));
  }
  all = block_fold(all, identity, op);
  if (threadIdx.x == 0) finish(static_cast<index>(blockIdx.x), all);
}

/// finish(0, element(0) op ... op element(count - 1)) by two kernels; op has to be commutative.
template <typename Processor, typename T, typename Element, typename Op, typename Finish>
void fold_in_two_passes(const Processor& on, index count, T identity, Element element, Op op,
                        Finish finish) {
  const index blocks = 1024;
  const view<T> parts = on.template scratch<T>(100, blocks);
  fold_kernel<<<blocks, block_threads, 0, on.stream>>>(
      count, identity, element, op,
      [=] __device__(index block, const T& part) { parts[block] = part; });
  fold_kernel<<<1, block_threads, 0, on.stream>>>(
      blocks, identity, [=] __device__(index i) { return parts[i]; }, op, finish);
  ndp_gpu::check(cudaGetLastError(), "fold_in_two_passes");
}

/// Each block combines its part in order, 4 neighbours a thread at a time.
template <typename T, typename Element, typename Op, typename Finish>
__global__ void ordered_fold_kernel(index count, index part, T identity, Element element, Op op,
                                    Finish finish) {
  const std::int64_t first = std::int64_t{blockIdx.x} * part;
  const std::int64_t last = min(first + part, std::int64_t{count});
  T all = identity;
  for (std::int64_t tile = first; tile < last; tile += 4 * block_threads) {
    const std::int64_t mine = tile + 4 * threadIdx.x;
    T own = identity;
    for (std::int64_t i = mine; i < min(mine + 4, last); ++i) {
      own = op(own, element(static_cast<index>(i)));
    }
    all = op(all, block_fold(own, identity, op));
  }
  if (threadIdx.x == 0) finish(static_cast<index>(blockIdx.x), all);
}

/// The same as fold_in_two_passes where order matters.
template <typename Processor, typename T, typename Element, typename Op, typename Finish>
void ordered_fold_in_two_passes(const Processor& on, index count, T identity, Element element,
                                Op op, Finish finish) {
  constexpr index tile = 4 * block_threads;
  const index part = (count / 1024 / tile + 1) * tile;
  const index blocks = (count + part - 1) / part;
  const view<T> parts = on.template scratch<T>(102, blocks);
  ordered_fold_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, on.stream>>>(
      count, part, identity, element, op,
      [=] __device__(index block, const T& all) { parts[block] = all; });
  ordered_fold_kernel<<<1, block_threads, 0, on.stream>>>(
      blocks, blocks, identity, [=] __device__(index i) { return parts[i]; }, op, finish);
  ndp_gpu::check(cudaGetLastError(), "ordered_fold_in_two_passes");
}

/// Each block scans its part, of which it knows what comes before, or only adds it up.
template <int Items, bool Scans, typename T, typename Element, typename Op, typename Write>
__global__ void scan_kernel(index count, index part, T identity, Element element, Op op,
                            const T* carried, T* sums, Write write) {
  using block_scan = cub::BlockScan<T, block_threads>;
  __shared__ typename block_scan::TempStorage storage;
  const std::int64_t first = std::int64_t{blockIdx.x} * part;
  const std::int64_t last = min(first + part, std::int64_t{count});
  T before = carried != nullptr ? carried[blockIdx.x] : identity;
  for (std::int64_t tile = first; tile < last; tile += block_threads * Items) {
    const std::int64_t mine = tile + threadIdx.x * Items;
    T items[Items];
    for (int i = 0; i < Items; ++i) {
      items[i] = mine + i < last ? element(static_cast<index>(mine + i)) : identity;
    }
    T all;
    block_scan(storage).ExclusiveScan(items, items, identity, op, all);
    for (int i = 0; Scans && i < Items; ++i) {
      if (mine + i < last) write(static_cast<index>(mine + i), op(before, items[i]));
    }
    before = op(before, all);
    __syncthreads();
  }
  if (!Scans && threadIdx.x == 0) sums[blockIdx.x] = before;
}

/// write(i, element(0) op ... op element(i - 1)) for each i by three kernels, `Items` neighbours a
/// thread at a time.
template <int Items, typename Processor, typename T, typename Element, typename Op, typename Write>
void scan_in_three_passes(const Processor& on, index count, T identity, Element element, Op op,
                          Write write) {
  if (count == 0) return;
  constexpr index tile = block_threads * Items;
  const index part = (count / 1024 / tile + 1) * tile;
  const index blocks = (count + part - 1) / part;
  const auto grid = static_cast<unsigned>(blocks);
  T* const sums = on.template scratch<T>(101, blocks).data();
  scan_kernel<Items, false><<<grid, block_threads, 0, on.stream>>>(
      count, part, identity, element, op, static_cast<const T*>(nullptr), sums, write);
  scan_kernel<4, true><<<1, block_threads, 0, on.stream>>>(
      blocks, blocks, identity, [=] __device__(index i) { return sums[i]; }, op,
      static_cast<const T*>(nullptr), sums,
      [=] __device__(index i, const T& sum) { sums[i] = sum; });
  scan_kernel<Items, true><<<grid, block_threads, 0, on.stream>>>(
      count, part, identity, element, op, static_cast<const T*>(sums), sums, write);
  ndp_gpu::check(cudaGetLastError(), "scan_in_three_passes");
}

}  // namespace suite
