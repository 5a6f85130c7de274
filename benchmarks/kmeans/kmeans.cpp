// k-means by Lloyd's algorithm, the paper's listing 5, beside Catanzaro's implementation (on a GPU)
// or plain loops (on the processor; scikit_learn.py adds scikit-learn's).
//
//   kmeans [--measure] "points:count=N,dimension=D,clusters=K,iterations=I"...
//
// A call is all iterations, from the same centroids. Norms of the points are made before.
#include "../../examples/ndp/kmeans/kmeans.hpp"

#include <cmath>

#include "../ndp_tuned/bench.hpp"
#include "plain_kmeans.hpp"
#include "points.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES

#ifdef __CUDACC__
#include "catanzaro.cuh"
#endif

/// The matrix product and the sort are the platform's, tuned or not.
template <typename Platform>
class examples::matrix_product<ndp_tuned::by_default_rule<Platform>> {
 public:
  explicit matrix_product(const Platform& on) : product_(on) {}

  template <typename... Arguments>
  void operator()(const Arguments&... arguments) const {
    product_(arguments...);
  }

 private:
  matrix_product<Platform> product_;
};

template <typename Platform>
class examples::label_grouping<ndp_tuned::by_default_rule<Platform>> {
 public:
  explicit label_grouping(const Platform& on) : grouping_(on) {}

  template <typename... Arguments>
  void operator()(const Arguments&... arguments) {
    grouping_(arguments...);
  }

 private:
  label_grouping<Platform> grouping_;
};

#endif

namespace ndp_tuned {
namespace {

using examples::read_only;
using vector = examples::vector_on<platform_type, double>;

[[nodiscard]] bool nearly_equal(const std::vector<double>& found,
                                const std::vector<double>& expected) {
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                    [](double a, double b) { return std::abs(a - b) <= 1e-10 * std::abs(b); });
}

void run(bench& b, const std::string& text) {
  const points_input input = make_points(text, b.measures);
  const std::vector<double> start = input.start();
  const auto dimension = static_cast<std::size_t>(input.dimension);
  std::vector<double> expected = start;
  plain_kmeans(input.points, dimension, expected, input.iterations);

  const vector points = examples::copy_to(b.on, input.points);
  const vector first = examples::copy_to(b.on, start);
  vector centroids = first;
  const auto iterate = [&](auto& clusterer) {
    centroids = first;
    for (int i = 0; i < input.iterations; ++i) {
      clusterer.relabel(read_only(centroids));
      clusterer.recalculate(ndp::make_sequence(centroids));
    }
  };
  examples::kmeans<platform_type> ours(b.on, read_only(points), input.dimension, input.clusters);
  fb::comparison c{{"kmeans", text, "double", input.clusters, input.count * input.iterations,
                    static_cast<double>(input.points.size()) * sizeof(double) * input.iterations},
                   {{our_name, fb::kind::ours, [&] { iterate(ours); }}},
                   [&] { poison(centroids); },
                   [&] { return nearly_equal(examples::copy_to_host(centroids), expected); }};
#ifdef FETTLE_BENCHMARK_MEASURES
  examples::kmeans<default_platform> untuned({b.on}, read_only(points), input.dimension,
                                             input.clusters);
  if (is_tuned) c.contenders.push_back({"default", fb::kind::peer, [&] { iterate(untuned); }});
#ifdef __CUDACC__
  catanzaro_kmeans theirs(b.on, points, input.dimension, input.clusters);
  c.contenders.push_back({"catanzaro", fb::kind::peer, [&] {
                            centroids = first;
                            for (int i = 0; i < input.iterations; ++i) theirs.iterate(centroids);
                          }});
#else
  c.contenders.push_back({"loop", fb::kind::peer, [&] {
                            centroids = first;
                            plain_kmeans(input.points, dimension, centroids, input.iterations);
                          }});
#endif
#endif
  b.judge(c);
  // For comparison with programs that are measured elsewhere; of every computation the last.
  iterate(ours);
  ours.relabel(read_only(centroids));
  const double distortion = ours.distortion();
  if (b.measures) fb::report::figure(text + " distortion", distortion, "");
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("kmeans", count, values, "points:count=20000", ndp_tuned::run);
}
