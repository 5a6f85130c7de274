// kmeans [POINTS] [DIMENSION] [CLUSTERS] [ITERATIONS]: clusters random points and compares labels
// and centroids with the serial loops'.
#include "kmeans.hpp"

#include "../support/program.hpp"
#include "../support/random.hpp"
#include "kmeans_program.hpp"
#include "serial_kmeans.hpp"

#ifndef __CUDACC__
#include "tiled_kmeans.hpp"
#endif

namespace examples {

/// Points scattered around as many centers as there are clusters.
std::vector<double> some_points(ndp::index_t count, ndp::index_t dimension, ndp::index_t clusters) {
  const std::vector<double> centers = some_numbers(static_cast<std::size_t>(clusters * dimension));
  std::vector<double> points = some_numbers(static_cast<std::size_t>(count * dimension), 2);
  random_numbers random(3);
  for (std::size_t i = 0; i < points.size(); i += static_cast<std::size_t>(dimension)) {
    const auto center = static_cast<std::size_t>(random.unit() * static_cast<double>(clusters));
    for (std::size_t c = 0; c < static_cast<std::size_t>(dimension); ++c) {
      points[i + c] += 2 * centers[center * static_cast<std::size_t>(dimension) + c];
    }
  }
  return points;
}

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const ndp::index_t count = given.number("POINTS", 20'000, 1, 100'000'000);
  const ndp::index_t dimension = given.number("DIMENSION", 32, 1, 10'000);
  const ndp::index_t clusters = given.number("CLUSTERS", 10, 1, count);
  const auto iterations = static_cast<int>(given.number("ITERATIONS", 20, 1, 10'000));
  given.end();
  const std::vector<double> input = some_points(count, dimension, clusters);
  // The first points are the first centroids.
  const std::vector<double> start(input.begin(), input.begin() + clusters * dimension);
  const clustering expected =
      serial_kmeans(input, static_cast<std::size_t>(dimension), start, iterations);

  const auto points = copy_to(on, input);
  auto centroids = copy_to(on, start);
  kmeans<Platform> clusterer(on, read_only(points), dimension, clusters);
  const auto check = [&](const std::string& what, const auto& found) {
    const std::vector<label_t> labels = copy_to_host(found.labels());
    require_same(what + ": labels", {labels.begin(), labels.end()},
                 {expected.labels.begin(), expected.labels.end()});
    require_same(what + ": centroids", copy_to_host(centroids), expected.centroids);
    require_same(what + ": distortion", {found.distortion()}, {expected.distortion});
  };
  const double seconds = seconds_of(
      on,
      [&] {
        centroids = copy_to(on, start);
        for (int i = 0; i < iterations; ++i) {
          clusterer.relabel(read_only(centroids));
          clusterer.recalculate(ndp::make_sequence(centroids));
        }
      },
      1);
  check("kmeans", clusterer);

  centroids = copy_to(on, start);
  for (int i = 0; i < iterations; ++i) {
    clusterer.relabel_directly(read_only(centroids));
    clusterer.recalculate(ndp::make_sequence(centroids));
  }
  check("kmeans directly", clusterer);

  centroids = copy_to(on, start);
  {
    auto labels = copy_to(on, std::vector<label_t>(static_cast<std::size_t>(count), -1));
    auto distortion = copy_to(on, std::vector<double>{0.0});
    auto p =
        kmeans_iteration<Platform>({read_only(points), ndp::make_sequence(centroids),
                                    ndp::make_sequence(labels), ndp::make_sequence(distortion)},
                                   dimension);
    for (int i = 0; i < iterations; ++i) p.execute(on);
    wait(on);
    const std::vector<label_t> found = copy_to_host(labels);
    require_same("kmeans as a program: labels", {found.begin(), found.end()},
                 {expected.labels.begin(), expected.labels.end()});
    require_same("kmeans as a program: centroids", copy_to_host(centroids), expected.centroids);
    require_same("kmeans as a program: distortion", copy_to_host(distortion),
                 {expected.distortion});
  }

#ifndef __CUDACC__
  centroids = start;
  for (int i = 0; i < iterations; ++i) {
    clusterer.relabel(read_only(centroids));
    clusterer.recalculate_by_lambdas(ndp::make_sequence(centroids));
  }
  check("kmeans by lambdas", clusterer);

  centroids = start;
  tiled_kmeans<Platform> tiled(on, read_only(points), dimension, clusters);
  for (int i = 0; i < iterations; ++i) tiled.iterate(ndp::make_sequence(centroids));
  check("kmeans by tiles", tiled);
#endif

  report("kmeans",
         std::to_string(count) + " points of " + std::to_string(dimension) + " coordinates, " +
             std::to_string(clusters) + " clusters, " + std::to_string(iterations) + " iterations",
         seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("kmeans", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
