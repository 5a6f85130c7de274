// Brings points of the same label together: what listing 5's thrust::sort_by_key is for.
#pragma once

#include <utility>
#include <vector>

#include "../support/platform.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef __CUDACC__
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#endif

namespace examples {

using label_t = int;

/// sorted = labels in ascending order; order[i] = where sorted[i] was. Points of one label keep
/// their order. Labels lie in [0, clusters).
inline void group_by_label(const ndp::platform::openmp& /*on*/, ndp::sequence<const label_t> labels,
                           ndp::index_t clusters, ndp::sequence<label_t> sorted,
                           ndp::sequence<ndp::index_t> order) {
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
  for_each_share([&](ndp::index_t i, ndp::index_t& place) {
    sorted[place] = labels[i];
    order[place++] = i;
  });
}

#ifdef __CUDACC__
inline void group_by_label(const ndp::platform::cuda& on, ndp::sequence<const label_t> labels,
                           ndp::index_t /*clusters*/, ndp::sequence<label_t> sorted,
                           ndp::sequence<ndp::index_t> order) {
  const auto stream = thrust::cuda::par.on(on.stream);
  thrust::copy(stream, labels.begin(), labels.end(), sorted.begin());
  thrust::sequence(stream, order.begin(), order.end());
  thrust::stable_sort_by_key(stream, sorted.begin(), sorted.end(), order.begin());
}
#endif

}  // namespace examples
