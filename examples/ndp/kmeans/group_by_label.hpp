// Brings points of the same label together: what listing 5's thrust::sort_by_key is for.
#pragma once

#include "../support/platform.hpp"

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
  // A counting sort: O(points + clusters).
  std::vector<ndp::index_t> next(static_cast<std::size_t>(clusters) + 1, 0);
  for (const label_t label : labels) ++next[static_cast<std::size_t>(label) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  for (ndp::index_t i = 0; i < labels.size(); ++i) {
    const ndp::index_t place = next[static_cast<std::size_t>(labels[i])]++;
    sorted[place] = labels[i];
    order[place] = i;
  }
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
