// nearest_centroids in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "nearest_centroids.hpp"

namespace suite {
template <>
struct fettle_expression<nearest_centroids> {
  struct candidate {
    float distance;
    index centroid;
  };
  struct nearer {
    FETTLE_HOST_DEVICE candidate operator()(const candidate& a, const candidate& b) const {
      return b.distance < a.distance ? b : a;
    }
  };
  template <typename Point>
  struct distance_to {
    Point point;
    const float* centroids;
    FETTLE_HOST_DEVICE candidate operator()(index c) const {
      float distance = 0;
      for (index d = 0; d < nearest_centroids::width; ++d) {
        const float difference = point[d] - centroids[c * nearest_centroids::width + d];
        distance += difference * difference;
      }
      return {distance, c};
    }
  };
  struct nearest {
    const float* centroids;
    template <typename Point>
    FETTLE_HOST_DEVICE auto operator()(const Point& point) const {
      return ndp::reduce(nearer{},
                         ndp::map(distance_to<Point>{point, centroids},
                                  ndp::range(index{0}, nearest_centroids::count)),
                         candidate{3e38f, -1});
    }
  };
  struct number {
    FETTLE_HOST_DEVICE index operator()(const candidate& one) const { return one.centroid; }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> points, view<const float> centroids,
                  view<index> y) {
    const auto all = ndp::split(sequence_of(points), nearest_centroids::width);
    ndp::execute<"nearest_centroids">(ndp::map(number{}, ndp::map(nearest{centroids.data()}, all)),
                                      sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
