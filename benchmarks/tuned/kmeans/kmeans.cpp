// k-means by Lloyd's algorithm, the paper's listing 5, beside Catanzaro's implementation (on a GPU)
// or plain loops (on the processor; scikit_learn.py adds scikit-learn's).
//
//   kmeans [--measure] "points:count=N,dimension=D,clusters=K,iterations=I"...
//
// A call is all iterations, from the same centroids. Norms of the points are made before. On the
// processor there are two levels of selection: distances by a matrix product, directly, or with all
// else in one pass by tiles, variants of the tuned function "kmeans.openmp", and the computations
// of each.
#include "../../../examples/ndp/kmeans/kmeans.hpp"

#include <cmath>

#include <fettle/variant.hpp>

#include "../common/bench.hpp"
#include "plain_kmeans.hpp"
#include "points.hpp"

#ifndef __CUDACC__
#include "../../../examples/ndp/kmeans/tiled_kmeans.hpp"
#endif

#ifdef FETTLE_BENCHMARK_MEASURES
#include "untuned_parts.hpp"
#ifdef __CUDACC__
#include "catanzaro.cuh"
#endif
#endif

namespace ndp_tuned {
namespace {

using examples::read_only;
using vector = examples::vector_on<platform_type, double>;

/// What the forms work with.
template <typename Platform>
struct clusterers {
  examples::kmeans<Platform> by_steps;
#ifndef __CUDACC__
  examples::tiled_kmeans<Platform> by_tiles;
#endif

  clusterers(const Platform& on, const vector& points, const points_input& input)
      : by_steps(on, read_only(points), input.dimension, input.clusters)
#ifndef __CUDACC__
        ,
        by_tiles(on, read_only(points), input.dimension, input.clusters)
#endif
  {
  }
};

template <typename Platform>
void iterate_by_product(clusterers<Platform>& all, vector& centroids) {
  all.by_steps.relabel(read_only(centroids));
  all.by_steps.recalculate(ndp::make_sequence(centroids));
}

#ifdef __CUDACC__

/// One form only.
struct iteration {
  explicit iteration(const vector& /*first*/) {}

  void operator()(clusterers<platform_type>& all, vector& centroids) const {
    iterate_by_product(all, centroids);
  }
};

#else

template <typename Platform>
void iterate_directly(clusterers<Platform>& all, vector& centroids) {
  all.by_steps.relabel_directly(read_only(centroids));
  all.by_steps.recalculate(ndp::make_sequence(centroids));
}

template <typename Platform>
void iterate_by_tiles(clusterers<Platform>& all, vector& centroids) {
  all.by_tiles.iterate(ndp::make_sequence(centroids));
}

/// The choice among the forms; without a model it is the product.
class iteration {
 public:
  /// `first` are the centroids that a tuner starts every trial from.
  explicit iteration(const vector& first) : context_(quiet_until_tuned()), forms_(context_) {
    using all_forms = clusterers<platform_type>;
    forms_.add_variant("product", iterate_by_product<platform_type>);
    forms_.add_variant("direct", iterate_directly<platform_type>);
    forms_.add_variant("tiles", iterate_by_tiles<platform_type>);
    forms_.set_reset([first](all_forms&, vector& centroids) { centroids = first; });
    forms_.add_input_feature("points", [](const all_forms& all, const vector&) {
      return static_cast<double>(all.by_steps.labels().size());
    });
    forms_.add_input_feature("numbers", [](const all_forms&, const vector& centroids) {
      return static_cast<double>(centroids.size());
    });
  }

  void operator()(clusterers<platform_type>& all, vector& centroids) { forms_(all, centroids); }

 private:
  fettle::context context_;
  fettle::code_variant<fettle::policy<"kmeans.openmp">, void(clusterers<platform_type>&, vector&)>
      forms_;
};

#endif

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
  const auto iterate = [&](auto&& once) {
    centroids = first;
    for (int i = 0; i < input.iterations; ++i) once(centroids);
  };
  clusterers<platform_type> ours(b.on, points, input);
  iteration choose(first);
  const auto run_ours = [&] { iterate([&](vector& all) { choose(ours, all); }); };
  fb::comparison c{{"kmeans", text, "double", input.clusters, input.count * input.iterations,
                    static_cast<double>(input.points.size()) * sizeof(double) * input.iterations},
                   {{our_name, fb::kind::ours, run_ours}},
                   [&] { poison(centroids); },
                   [&] { return nearly_equal(examples::copy_to_host(centroids), expected); }};
#ifdef FETTLE_BENCHMARK_MEASURES
  clusterers<default_platform> untuned({b.on}, points, input);
  c.contenders.push_back({"default", fb::kind::peer, [&] {
                            iterate([&](vector& all) { iterate_by_product(untuned, all); });
                          }});
#ifdef __CUDACC__
  catanzaro_kmeans theirs(b.on, points, input.dimension, input.clusters);
  c.contenders.push_back(
      {"catanzaro", fb::kind::peer, [&] { iterate([&](vector& all) { theirs.iterate(all); }); }});
#else
  c.contenders.push_back({"default_direct", fb::kind::peer,
                          [&] { iterate([&](vector& all) { iterate_directly(untuned, all); }); }});
  c.contenders.push_back({"default_tiles", fb::kind::peer,
                          [&] { iterate([&](vector& all) { iterate_by_tiles(untuned, all); }); }});
  c.contenders.push_back({"loop", fb::kind::peer, [&] {
                            centroids = first;
                            plain_kmeans(input.points, dimension, centroids, input.iterations);
                          }});
#endif
  b.judge(c);
#else
  // A tuner has to meet the computations of each form, once.
  b.check(c, [&] { iterate([&](vector& all) { iterate_by_product(ours, all); }); });
#ifndef __CUDACC__
  b.check(c, [&] { iterate([&](vector& all) { iterate_directly(ours, all); }); });
  b.check(c, [&] { iterate([&](vector& all) { iterate_by_tiles(ours, all); }); });
#endif
#endif
  // For comparison with programs that are measured elsewhere.
  if (b.measures) {
    iterate([&](vector& all) { iterate_by_product(ours, all); });
    ours.by_steps.relabel(read_only(centroids));
    fb::report::figure(text + " distortion", ours.by_steps.distortion(), "");
  }
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("kmeans", count, values, "points:count=20000", ndp_tuned::run);
}
