// How the blocks of a GPU count samples: each block counts pieces of them, its even share or what
// it takes from a queue, by atomics in global or shared memory, or by sorting the piece (after the
// histograms of CUB that Muralidharan et al. tune, dissertation, 2.4).
#pragma once

#include <cub/block/block_radix_sort.cuh>

#include "../support/device.cuh"
#include "samples.hpp"

namespace histogram {

using count = std::uint32_t;

constexpr unsigned block_size = 256;
constexpr int samples_a_thread = 16;
constexpr unsigned piece = block_size * samples_a_thread;

/// The samples [first, last) of a block, and where their bins are counted.
template <class Value>
struct piece_of_samples {
  const Value* values;
  std::size_t first;
  std::size_t last;
  bin_of bin;
  count* table;

  __device__ std::uint32_t bin_at(std::size_t k) const {
    return static_cast<std::uint32_t>((values[k] * bin.bins) >> bin.bits);
  }
};

/// An atomic addition a sample, to the counts of all blocks.
struct global_atomics {
  static constexpr bool uses_shared_counts = false;

  template <class Value>
  __device__ static void add(const piece_of_samples<Value>& p) {
    for (std::size_t k = p.first + threadIdx.x; k < p.last; k += blockDim.x)
      atomicAdd(p.table + p.bin_at(k), 1U);
  }
};

/// The same to counts of the block, which are added to those of all blocks at its end.
struct shared_atomics : global_atomics {
  static constexpr bool uses_shared_counts = true;
};

/// Sorts the bins of a piece and adds the length of each run of equal ones: as many atomic
/// additions as a piece has different bins, and one more a thread at most.
struct sorting {
  static constexpr bool uses_shared_counts = false;
  using sorter = cub::BlockRadixSort<std::uint32_t, block_size, samples_a_thread>;

  template <class Value>
  __device__ static void add(const piece_of_samples<Value>& p) {
    for (std::size_t first = p.first; first < p.last; first += piece)
      add_sorted(p, first, p.last - first < piece ? static_cast<int>(p.last - first) : piece);
  }

 private:
  /// Each thread adds what it has of each bin. What is behind the piece is in no bin: in bin
  /// number `bins`, which is the greatest.
  template <class Value>
  __device__ static void add_sorted(const piece_of_samples<Value>& p, std::size_t first, int size) {
    __shared__ typename sorter::TempStorage storage;
    const auto none = static_cast<std::uint32_t>(p.bin.bins);
    std::uint32_t bins[samples_a_thread];
    for (int n = 0; n < samples_a_thread; ++n) {
      const int k = n * static_cast<int>(block_size) + static_cast<int>(threadIdx.x);
      bins[n] = k < size ? p.bin_at(first + k) : none;
    }
    sorter(storage).Sort(bins, 0, 32 - __clz(static_cast<int>(none)));
    count length = 0;
    for (int n = 0; n < samples_a_thread; ++n) {
      ++length;
      if (n + 1 < samples_a_thread && bins[n + 1] == bins[n]) continue;
      if (bins[n] != none) atomicAdd(p.table + bins[n], length);
      length = 0;
    }
    __syncthreads();  // before the storage is used again
  }
};

/// Counts `size` values by `Counting`. `queue` is null for even shares.
template <class Counting, class Value>
__global__ __launch_bounds__(block_size) void count_kernel(const Value* values, std::size_t size,
                                                           count* counts, bin_of bin,
                                                           unsigned long long* queue) {
  extern __shared__ count shared[];
  count* table = counts;
  if constexpr (Counting::uses_shared_counts) {
    table = shared;
    for (unsigned b = threadIdx.x; b < bin.bins; b += blockDim.x) shared[b] = 0;
    __syncthreads();
  }
  if (queue == nullptr) {
    Counting::add(piece_of_samples<Value>{values, size * blockIdx.x / gridDim.x,
                                          size * (blockIdx.x + 1) / gridDim.x, bin, table});
  } else {
    __shared__ unsigned long long taken;
    for (;;) {
      if (threadIdx.x == 0) taken = atomicAdd(queue, static_cast<unsigned long long>(piece));
      __syncthreads();
      const std::size_t first = taken;
      __syncthreads();
      if (first >= size) break;
      Counting::add(piece_of_samples<Value>{
          values, first, first + piece < size ? first + piece : size, bin, table});
    }
  }
  if constexpr (Counting::uses_shared_counts) {
    __syncthreads();
    for (unsigned b = threadIdx.x; b < bin.bins; b += blockDim.x)
      if (shared[b] != 0) atomicAdd(counts + b, shared[b]);
  }
}

}  // namespace histogram
