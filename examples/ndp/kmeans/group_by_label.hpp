// Brings points of the same label together: what listing 5's thrust::sort_by_key is for.
#pragma once

#include <utility>
#include <vector>

#include "../support/platform.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef __CUDACC__
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>
#include <string>
#endif

namespace examples {

using label_t = int;
using point_number = int;

/// sorted = labels in ascending order; order[i] = where sorted[i] was. Points of one label keep
/// their order. Labels lie in [0, clusters).
template <typename Platform>
class label_grouping;

#ifndef __CUDACC__

template <>
class label_grouping<ndp::platform::openmp> {
 public:
  explicit label_grouping(const ndp::platform::openmp& /*on*/) {}

  void operator()(ndp::sequence<const label_t> labels, ndp::index_t clusters,
                  ndp::sequence<label_t> sorted, ndp::sequence<point_number> order) const {
    // A counting sort, O(points + clusters * threads): each thread counts the labels of its points,
    // then knows where those of each label go.
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    const auto k = static_cast<std::size_t>(clusters);
    const std::size_t stride = k + 8;  // no two threads' counters share a cache line
    std::vector<ndp::index_t> next(static_cast<std::size_t>(threads) * stride, 0);
    const auto share = [&](int thread) { return labels.size() * thread / threads; };
    const auto for_each_share = [&](auto&& visit) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
      for (int thread = 0; thread < threads; ++thread) {
        ndp::index_t* counters = next.data() + static_cast<std::size_t>(thread) * stride;
        for (ndp::index_t i = share(thread); i < share(thread + 1); ++i) {
          visit(i, counters[labels[i]]);
        }
      }
    };
    for_each_share([](ndp::index_t, ndp::index_t& count) { ++count; });
    ndp::index_t before = 0;
    for (std::size_t label = 0; label < k; ++label) {
      for (std::size_t at = label; at < next.size(); at += stride) {
        before += std::exchange(next[at], before);
      }
    }
    for_each_share([&](ndp::index_t i, ndp::index_t& end) {
      sorted[end] = labels[i];
      order[end++] = static_cast<point_number>(i);
    });
  }
};

#else

template <>
class label_grouping<ndp::platform::cuda> {
 public:
  explicit label_grouping(const ndp::platform::cuda& on) : stream_(on.stream) {}

  void operator()(ndp::sequence<const label_t> labels, ndp::index_t clusters,
                  ndp::sequence<label_t> sorted, ndp::sequence<point_number> order) {
    // A radix sort of as many bits as labels have; its memory is kept from call to call.
    const auto sort = [&](void* temporary, std::size_t& bytes) {
      const cudaError_t status = cub::DeviceRadixSort::SortPairs(
          temporary, bytes, labels.data(), sorted.data(), thrust::raw_pointer_cast(numbers_.data()),
          order.data(), static_cast<point_number>(labels.size()), 0,
          std::bit_width(static_cast<std::uint64_t>(clusters - 1) | 1u), stream_);
      if (status != cudaSuccess) {
        throw fettle::error(std::string("cub::DeviceRadixSort: ") + cudaGetErrorString(status));
      }
    };
    if (numbers_.size() != static_cast<std::size_t>(labels.size())) {
      std::vector<point_number> all(static_cast<std::size_t>(labels.size()));
      std::iota(all.begin(), all.end(), 0);
      numbers_ = all;
      std::size_t bytes = 0;
      sort(nullptr, bytes);
      temporary_.resize(bytes);
    }
    std::size_t bytes = temporary_.size();
    sort(thrust::raw_pointer_cast(temporary_.data()), bytes);
  }

 private:
  cudaStream_t stream_;
  thrust::device_vector<point_number> numbers_;
  thrust::device_vector<char> temporary_;
};

#endif

}  // namespace examples
