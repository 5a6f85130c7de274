// Lloyd's k-means as plain loops over the points, shared out among threads: the centroids that
// every contender has to find.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace ndp_tuned {

/// The label of the nearest centroid, of equally near ones the first.
[[nodiscard]] inline std::size_t nearest_centroid(const double* point,
                                                  const std::vector<double>& centroids,
                                                  std::size_t dimension) {
  double least = std::numeric_limits<double>::infinity();
  std::size_t label = 0;
  for (std::size_t j = 0; j * dimension < centroids.size(); ++j) {
    const double* centroid = centroids.data() + j * dimension;
    double distance = 0;
#pragma omp simd reduction(+ : distance)
    for (std::size_t c = 0; c < dimension; ++c) {
      const double along = point[c] - centroid[c];
      distance += along * along;
    }
    if (distance < least) {
      least = distance;
      label = j;
    }
  }
  return label;
}

/// `iterations` times: points get labels, centroids that got points become their mean.
inline void plain_kmeans(const std::vector<double>& points, std::size_t dimension,
                         std::vector<double>& centroids, int iterations) {
  const std::size_t count = points.size() / dimension;
  const std::size_t clusters = centroids.size() / dimension;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<double> sums(centroids.size());
    std::vector<double> counts(clusters);
#pragma omp parallel
    {
      std::vector<double> my_sums(sums.size());
      std::vector<double> my_counts(clusters);
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < count; ++i) {
        const double* point = points.data() + i * dimension;
        const std::size_t label = nearest_centroid(point, centroids, dimension);
        double* sum = my_sums.data() + label * dimension;
#pragma omp simd
        for (std::size_t c = 0; c < dimension; ++c) sum[c] += point[c];
        my_counts[label] += 1;
      }
#pragma omp critical
      {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += my_sums[i];
        for (std::size_t j = 0; j < clusters; ++j) counts[j] += my_counts[j];
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (counts[i / dimension] > 0) centroids[i] = sums[i] / counts[i / dimension];
    }
  }
}

}  // namespace ndp_tuned
