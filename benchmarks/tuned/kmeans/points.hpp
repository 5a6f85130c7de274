// The inputs of k-means, "points:count=N,dimension=D,clusters=K,iterations=I": points around as
// many centres as there are clusters. Each coordinate depends on its index alone, so that another
// program can make the same points (scikit_learn.py does).
#pragma once

#include <string>
#include <vector>

#include "../../common/ndp/exact_values.hpp"
#include "../common/bench.hpp"
#include "../common/specification.hpp"

namespace ndp_tuned {

struct points_input {
  std::string name;
  ndp::index_t count;
  ndp::index_t dimension;
  ndp::index_t clusters;
  int iterations;
  std::vector<double> points{};  // without gaps

  /// The first points are the first centroids.
  [[nodiscard]] std::vector<double> start() const {
    return {points.begin(), points.begin() + clusters * dimension};
  }
};

inline constexpr std::uint64_t around_seed = 41;
inline constexpr std::uint64_t center_seed = 42;
inline constexpr std::uint64_t which_seed = 43;

/// A tuner needs one iteration, a measurement some.
[[nodiscard]] inline points_input make_points(const std::string& text, bool measures) {
  specification given(text, "points");
  const ndp::index_t count = given.number("count", 20'000, 1, 100'000'000);
  const ndp::index_t dimension = given.number("dimension", 32, 1, 10'000);
  const ndp::index_t clusters = given.number("clusters", 10, 1, count);
  const auto iterations = static_cast<int>(given.number("iterations", 10, 1, 10'000));
  given.end();
  points_input made{text, count, dimension, clusters, measures ? iterations : 1};
  made.points.resize(static_cast<std::size_t>(count * dimension));
#pragma omp parallel for schedule(static)
  for (ndp::index_t i = 0; i < count; ++i) {
    const auto point = static_cast<std::uint64_t>(i);
    const auto center =
        static_cast<ndp::index_t>(fb::unit(point, which_seed) * static_cast<double>(clusters));
    for (ndp::index_t c = 0; c < dimension; ++c) {
      const auto at = static_cast<std::uint64_t>(i * dimension + c);
      const auto near = static_cast<std::uint64_t>(center * dimension + c);
      made.points[at] = fb::unit(at, around_seed) + 0.5 * fb::unit(near, center_seed);
    }
  }
  return made;
}

}  // namespace ndp_tuned
