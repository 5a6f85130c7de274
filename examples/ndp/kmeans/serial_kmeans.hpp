// k-means as plain loops: what the parallel one is compared with.
#pragma once

#include <limits>
#include <vector>

namespace examples {

/// What a run of k-means leaves behind.
struct clustering {
  std::vector<int> labels;
  std::vector<double> centroids;
  double distortion = 0;
};

/// `iterations` times: every point gets the label of the nearest centroid (of equally near ones the
/// first), every centroid that got a point becomes the mean of its points. The labels are those
/// before the last mean.
inline clustering serial_kmeans(const std::vector<double>& points, std::size_t dimension,
                                std::vector<double> centroids, int iterations) {
  const std::size_t count = points.size() / dimension;
  const std::size_t clusters = centroids.size() / dimension;
  clustering result{std::vector<int>(count), std::move(centroids), 0};
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<double> sums(clusters * dimension);
    std::vector<std::size_t> counts(clusters);
    result.distortion = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      std::size_t label = 0;
      for (std::size_t j = 0; j < clusters; ++j) {
        double distance = 0;
        for (std::size_t c = 0; c < dimension; ++c) {
          const double along = points[i * dimension + c] - result.centroids[j * dimension + c];
          distance += along * along;
        }
        if (distance < nearest) {
          nearest = distance;
          label = j;
        }
      }
      result.labels[i] = static_cast<int>(label);
      result.distortion += nearest;
      ++counts[label];
      for (std::size_t c = 0; c < dimension; ++c) {
        sums[label * dimension + c] += points[i * dimension + c];
      }
    }
    for (std::size_t j = 0; j < clusters; ++j) {
      if (counts[j] == 0) continue;
      for (std::size_t c = 0; c < dimension; ++c) {
        result.centroids[j * dimension + c] =
            sums[j * dimension + c] / static_cast<double>(counts[j]);
      }
    }
  }
  return result;
}

}  // namespace examples
