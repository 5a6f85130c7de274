// Stable sorts of keys in device memory by a comparison: CUB's merge sort, one block for few keys,
// and a sort that merges the runs that the input has.
#pragma once

#include <algorithm>
#include <cooperative_groups.h>
#include <cub/block/block_merge_sort.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <limits>
#include <type_traits>

#include "../support/device.cuh"

namespace sorting::device {

using examples::device::check;
using examples::device::scratch;
using examples::device::with_scratch;

template <class Key, class Less>
void merge_sort(const Key* in, Key* out, std::size_t size, Less less) {
  with_scratch([&](void* at, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeysCopy(at, bytes, in, out,
                                                    static_cast<std::int64_t>(size), less);
  });
}

/// What is behind all keys: the greatest number, or the greatest NaN.
template <class Key>
__device__ Key behind_all() {
  if constexpr (std::is_integral_v<Key>) {
    return std::numeric_limits<Key>::max();
  } else if constexpr (sizeof(Key) == 4) {
    return __int_as_float(0x7FFFFFFF);
  } else {
    return __longlong_as_double(0x7FFFFFFFFFFFFFFFLL);
  }
}

constexpr int keys_a_thread = 4;
constexpr std::size_t most_in_block = 1024 * keys_a_thread;

template <int Threads, class Key, class Less>
__global__ __launch_bounds__(Threads) void block_kernel(const Key* in, Key* out, int size,
                                                        Less less) {
  using sort = cub::BlockMergeSort<Key, Threads, keys_a_thread>;
  __shared__ typename sort::TempStorage storage;
  Key mine[keys_a_thread];
  const int first = static_cast<int>(threadIdx.x) * keys_a_thread;
  const Key last = behind_all<Key>();
  for (int k = 0; k < keys_a_thread; ++k) mine[k] = first + k < size ? in[first + k] : last;
  sort(storage).StableSort(mine, less, size, last);
  for (int k = 0; k < keys_a_thread; ++k)
    if (first + k < size) out[first + k] = mine[k];
}

/// A merge sort by one block, as small as the keys allow. Precondition: size <= most_in_block.
template <class Key, class Less>
void block_sort(const Key* in, Key* out, std::size_t size, Less less) {
  const auto count = static_cast<int>(size);
  if (size <= 128 * keys_a_thread) {
    block_kernel<128><<<1, 128>>>(in, out, count, less);
  } else if (size <= 256 * keys_a_thread) {
    block_kernel<256><<<1, 256>>>(in, out, count, less);
  } else {
    block_kernel<1024><<<1, 1024>>>(in, out, count, less);
  }
}

constexpr unsigned most_runs = 64;
constexpr std::size_t keys_a_merge = 1 << 17;  ///< fewer are sorted sooner than a merge is launched

/// Where keys are less than the one before them: how often, and where the first found ones are.
struct descents {
  unsigned long long count;
  unsigned listed;
  unsigned places[most_runs];
};

template <class Key, class Less>
__global__ void find_descents_kernel(const Key* keys, unsigned size, Less less, descents* found) {
  unsigned mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < size;
       i += gridDim.x * blockDim.x) {
    if (!less(keys[i], keys[i - 1])) continue;
    ++mine;
    if (*static_cast<volatile unsigned*>(&found->listed) >= most_runs) continue;
    const auto together = cooperative_groups::coalesced_threads();
    unsigned first = 0;
    if (together.thread_rank() == 0) first = atomicAdd(&found->listed, together.size());
    const unsigned place = together.shfl(first, 0) + together.thread_rank();
    if (place < most_runs) found->places[place] = i;
  }
  mine = __reduce_add_sync(~0U, mine);
  if (threadIdx.x % 32 == 0 && mine > 0)
    atomicAdd(&found->count, static_cast<unsigned long long>(mine));
}

template <class Key>
__global__ void reverse_kernel(const Key* in, Key* out, std::size_t size) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < size) out[k] = in[size - 1 - k];
}

/// Merges neighbouring runs, which begin at `begins` (the last one is the size), until one is left.
template <class Key, class Less>
void merge_runs(const Key* in, Key* out, std::vector<std::size_t> begins, Less less) {
  const std::size_t size = begins.back();
  auto* const between = static_cast<Key*>(scratch(1, size * sizeof(Key)));
  bool is_last_to_out = false;  // whether an odd number of passes is left
  for (std::size_t runs = begins.size() - 1; runs > 1; runs = (runs + 1) / 2)
    is_last_to_out = !is_last_to_out;
  const Key* from = in;
  for (Key* to = is_last_to_out ? out : between; begins.size() > 2;
       from = to, to = to == out ? between : out) {
    std::vector<std::size_t> fewer = {0};
    for (std::size_t n = 0; n + 1 < begins.size(); n += 2) {
      const std::size_t first = begins[n];
      const std::size_t middle = begins[n + 1];
      const std::size_t end = n + 2 < begins.size() ? begins[n + 2] : middle;
      if (end == middle) {  // a run without a neighbour
        check(cudaMemcpyAsync(to + first, from + first, (end - first) * sizeof(Key),
                              cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
      } else {
        with_scratch([&](void* at, std::size_t& bytes) {
          return cub::DeviceMerge::MergeKeys(
              at, bytes, from + first, static_cast<std::int64_t>(middle - first), from + middle,
              static_cast<std::int64_t>(end - middle), to + first, less);
        });
      }
      fewer.push_back(end);
    }
    begins.swap(fewer);
  }
}

/// Looks for the runs first: what is in order is copied, what is in the opposite order reversed,
/// few long runs are merged, and only the rest is sorted by merge_sort. Precondition: size < 2^32.
template <class Key, class Less>
void locality_sort(const Key* in, Key* out, std::size_t size, Less less) {
  auto* const place = static_cast<descents*>(scratch(2, sizeof(descents)));
  check(cudaMemsetAsync(place, 0, sizeof(descents)), "cudaMemsetAsync");
  constexpr unsigned block = 256;
  const unsigned blocks =
      std::min(8 * examples::device::multiprocessors(), examples::device::blocks_for(size, block));
  find_descents_kernel<<<blocks, block>>>(in, static_cast<unsigned>(size), less, place);
  descents found;
  check(cudaMemcpy(&found, place, sizeof(found), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (found.count == 0) {
    check(cudaMemcpyAsync(out, in, size * sizeof(Key), cudaMemcpyDeviceToDevice),
          "cudaMemcpyAsync");
  } else if (found.count == size - 1) {
    reverse_kernel<<<examples::device::blocks_for(size, block), block>>>(in, out, size);
  } else if (found.count < most_runs && found.count * keys_a_merge <= size) {
    std::vector<std::size_t> begins = {0};
    begins.insert(begins.end(), found.places, found.places + found.count);
    std::sort(begins.begin(), begins.end());
    begins.push_back(size);
    merge_runs(in, out, std::move(begins), less);
  } else {
    merge_sort(in, out, size, less);
  }
}

}  // namespace sorting::device
