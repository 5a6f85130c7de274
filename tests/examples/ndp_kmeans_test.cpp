// The k-means example against plain loops: the same labels, clusters without points among them.
#include <vector>

#include "kmeans/kmeans.hpp"
#include "kmeans/serial_kmeans.hpp"
#include "kmeans/tiled_kmeans.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

namespace {

using examples::read_only;
using fettle::ndp::index_t;
using fettle::ndp::make_sequence;
using platform = fettle::ndp::platform::openmp;

// Iterates and compares everything with plain loops after every iteration.
template <typename Clusterer, typename Iterate>
void check_form(const std::vector<double>& points, int dimension, const std::vector<double>& start,
                int iterations, const Iterate& iterate) {
  const index_t clusters = static_cast<index_t>(start.size()) / dimension;
  std::vector<double> centroids = start;
  Clusterer clusterer({}, read_only(points), dimension, clusters);
  for (int done = 1; done <= iterations; ++done) {
    iterate(clusterer, centroids);
    const auto expected =
        examples::serial_kmeans(points, static_cast<std::size_t>(dimension), start, done);
    INFO("iteration " << done);
    REQUIRE(clusterer.labels() == expected.labels);
    for (std::size_t i = 0; i < centroids.size(); ++i) {
      REQUIRE(centroids[i] == approx(expected.centroids[i]));
    }
    REQUIRE(clusterer.distortion() == approx(expected.distortion).margin(1e-9));
  }
}

using kmeans = examples::kmeans<platform>;
using tiled_kmeans = examples::tiled_kmeans<platform>;

void check(const std::vector<double>& points, int dimension, const std::vector<double>& start,
           int iterations) {
  INFO("dimension " << dimension << ", coordinates of centroids " << start.size());
  check_form<kmeans>(points, dimension, start, iterations, [](kmeans& all, auto& centroids) {
    all.relabel(read_only(centroids));
    all.recalculate(make_sequence(centroids));
  });
  check_form<kmeans>(points, dimension, start, iterations, [](kmeans& all, auto& centroids) {
    all.relabel_directly(read_only(centroids));
    all.recalculate(make_sequence(centroids));
  });
  check_form<kmeans>(points, dimension, start, iterations, [](kmeans& all, auto& centroids) {
    all.relabel(read_only(centroids));
    all.recalculate_by_lambdas(make_sequence(centroids));
  });
  check_form<tiled_kmeans>(
      points, dimension, start, iterations,
      [](tiled_kmeans& all, auto& centroids) { all.iterate(make_sequence(centroids)); });
}

std::vector<double> some_points(int count, int dimension) {
  return examples::some_numbers(static_cast<std::size_t>(count * dimension), 5);
}

}  // namespace

TEST_CASE("every form of k-means finds the labels that plain loops find") {
  const auto points = some_points(500, 3);
  check(points, 3, {points.begin(), points.begin() + 7 * 3}, 10);
}

TEST_CASE("k-means with points and clusters in any number beside those that are taken at once") {
  const auto points = some_points(2061, 4);  // three tiles
  for (const int count : {7, 8, 9, 17, 1023, 1024, 1025, 2061}) {
    for (const int clusters : {1, 2, 3, 4, 5, 7}) {
      check({points.begin(), points.begin() + count * 4}, 4,
            {points.begin(), points.begin() + clusters * 4}, 2);
    }
  }
}

TEST_CASE("a centroid nearest to no point stays where it is") {
  const auto points = some_points(60, 2);
  const std::vector<double> near{0.1, 0.2, 0.9, 0.8};
  for (const auto& places :
       std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 0}, {0, 1, 2}, {2, 2, 2}, {1, 1, 2}}) {
    // Centroids far from all points, before the (0, 1 or 2) near ones at the given place.
    std::vector<double> start;
    for (int place = 0; place <= 2; ++place) {
      for (const int far : places) {
        if (far == place) start.insert(start.end(), {50.0 + static_cast<double>(start.size()), 60});
      }
      if (place < 2) start.insert(start.end(), {near[2 * place], near[2 * place + 1]});
    }
    check(points, 2, start, 3);
  }
}

TEST_CASE("of equally near centroids the first wins") {
  // Whole numbers: distances are exact.
  check({0, 2, 4, 6}, 1, {1, 3, 5}, 1);
  check({0, 0, 0, 0, 0, 0}, 2, {1, 0, -1, 0, 0, 1}, 1);
}

TEST_CASE("k-means with one cluster, with a cluster a point, with one point") {
  const auto points = some_points(9, 3);
  check(points, 3, {points.begin(), points.begin() + 3}, 2);
  check(points, 3, points, 2);
  check({1, 2, 3}, 3, {7, 8, 9}, 2);
}
