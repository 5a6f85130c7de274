// nearest_centroids: y[i] = the index of the nearest of 16 centroids to point i, of 8 coordinates.
//
// float -> int; 384 operations a point. In Fettle: map > reduce(nearer) over split(points, 8), of
// map(centroid index -> (squared distance, index), range(0, 16)), the distance a reduce again.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct nearest_centroids {
  static constexpr const char* name = "nearest_centroids";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = index;
  static constexpr index width = 8;
  static constexpr index count = 16;

  /// Coordinates are small whole numbers, so that distances are exact and ties are the same
  /// everywhere: the first centroid wins.
  static auto make(const shape& like) {
    const index n = like.elements(4 * width + 4);
    return problem(n, n, fb::small_integers<float>(static_cast<std::size_t>(n * width), 1),
                   fb::small_integers<float>(std::size_t{width * count}, 2));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> points,
                                      view<const float> centroids, view<index> y) {
    float own[width];
    for (index d = 0; d < width; ++d) own[d] = points[i * width + d];
    float least = 3e38f;
    index nearest = -1;
    for (index c = 0; c < count; ++c) {
      float distance = 0;
      for (index d = 0; d < width; ++d) {
        const float difference = own[d] - centroids[c * width + d];
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    y[i] = nearest;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "centroids in shared memory";
  static void second(const device& on, view<const float> points, view<const float> centroids,
                     view<index> y) {
    a_thread_each_with_table<nearest_centroids, float, width * count>(on.stream, points, centroids,
                                                                      y);
  }
#endif
};

}  // namespace suite
