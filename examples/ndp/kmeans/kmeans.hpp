// k-means by Lloyd's algorithm on either platform: the paper's section 5.3 and listing 5.
//
// |x - y|^2 is x.x + y.y - 2 x.y (Catanzaro): x.x is computed once, the x.y of all points and
// centroids are one matrix product, which the platform's library makes. An iteration is
//   norms       map > reduce             y.y of every centroid
//   nearest     map > reduce             a point's label: the smallest distance in its row
//   sums        reduce_by_key > map      points, gathered in the order of their labels, summed up
//   starts      map                      where a label's points start in that order
//   runs        scan                     which of the sums belongs to which label
//   means       map > map                sums over counts
// Without norms and products, nearest is a map over the points whose function loops.
// reduce_by_key yields a sum for every label that occurs, not for every label; the last three steps
// put the sums where they belong. A centroid that is nearest to no point stays where it is.
#pragma once

#include <limits>

#include "../support/platform.hpp"
#include "group_by_label.hpp"
#include "matrix_product.hpp"

namespace examples {

/// x.x of a point.
struct squared_norm {
  template <typename Point>
  FETTLE_HOST_DEVICE auto operator()(Point x) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, x, x), 0.0);
  }
};

/// A squared distance and the label of the centroid it leads to.
using candidate = ndp::tuple<double, label_t>;
inline constexpr double infinitely_far = std::numeric_limits<double>::infinity();

/// The nearer of two candidates; of equally near ones that of the smaller label.
struct nearer {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE constexpr candidate operator()(const candidate& a, const candidate& b) const {
    const bool second = ndp::get<0>(b) < ndp::get<0>(a) ||
                        (ndp::get<0>(b) == ndp::get<0>(a) && ndp::get<1>(b) < ndp::get<1>(a));
    return second ? b : a;
  }
};

/// x.x + y.y - 2 x.y
struct squared_distance {
  double point_norm;
  FETTLE_HOST_DEVICE double operator()(double product, double centroid_norm) const {
    return point_norm + centroid_norm - 2 * product;
  }
};

/// The centroid nearest to a point, of which the products with all centroids are given.
struct nearest_centroid {
  ndp::sequence<const double> centroid_norms;

  template <typename Products>
  FETTLE_HOST_DEVICE auto operator()(double point_norm, Products products) const {
    auto distances = ndp::map(squared_distance{point_norm}, products, centroid_norms);
    auto labels = ndp::range(label_t{0}, static_cast<label_t>(centroid_norms.size()));
    return ndp::reduce(nearer{}, ndp::zip(distances, labels),
                       ndp::tuple_of<double, label_t>(infinitely_far, 0));
  }
};

/// The same without products: by the differences of their coordinates.
struct nearest_centroid_directly {
  ndp::sequence<const double> centroids;  // without gaps

  template <typename Point>
  FETTLE_HOST_DEVICE candidate operator()(Point x) const {
    const ndp::index_t dimension = x.size();
    const auto clusters = static_cast<label_t>(centroids.size() / dimension);
    double least = infinitely_far;
    label_t nearest = 0;
    for (label_t label = 0; label < clusters; ++label) {
      const auto y = ndp::subsequence(centroids, label * dimension, dimension);
      double distance = 0;
#ifndef __CUDACC__
#pragma omp simd reduction(+ : distance)
#endif
      for (ndp::index_t c = 0; c < dimension; ++c) {
        distance += (x[c] - y[c]) * (x[c] - y[c]);
      }
      // No branch: which centroid is the nearest cannot be predicted.
      nearest += (distance < least ? 1 : 0) * (label - nearest);
      least = distance < least ? distance : least;
    }
    return ndp::tuple_of<double, label_t>(least, nearest);
  }
};

/// The sum of two points: of a running sum and the next point, in listing 5.
struct add_points {
  static constexpr bool is_commutative = true;
  template <typename Sum, typename Point>
  FETTLE_HOST_DEVICE auto operator()(Sum x, Point y) const {
    return ndp::map(ndp::plus{}, x, y);
  }
};

/// The first index in ascending labels that holds `label` or more.
struct first_of_label {
  ndp::sequence<const label_t> labels;

  FETTLE_HOST_DEVICE ndp::index_t operator()(label_t label) const {
    ndp::index_t low = 0;
    ndp::index_t high = labels.size();
    while (low < high) {
      const ndp::index_t middle = low + (high - low) / 2;
      if (labels[middle] < label) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// 1 for a label that has points.
struct has_points {
  FETTLE_HOST_DEVICE ndp::index_t operator()(ndp::index_t first, ndp::index_t last) const {
    return first < last ? 1 : 0;
  }
};

struct mean {
  ndp::index_t count;
  FETTLE_HOST_DEVICE double operator()(double sum, double before) const {
    return count == 0 ? before : sum / static_cast<double>(count);
  }
};

/// The new centroid of a label: the mean of its points, or what it was before.
template <typename Sums>
struct mean_of_run {
  Sums sums;

  template <typename Centroid>
  FETTLE_HOST_DEVICE auto operator()(ndp::index_t run, ndp::index_t first, ndp::index_t last,
                                     Centroid before) const {
    // A label without points, behind the last one that has some, is given a run that is not there.
    return ndp::map(mean{last - first}, sums[first < last ? run : 0], before);
  }
};

/// Clusters points of `dimension` coordinates, without gaps, into `clusters`.
template <typename Platform>
class kmeans {
 public:
  kmeans(const Platform& on, ndp::sequence<const double> points, ndp::index_t dimension,
         ndp::index_t clusters)
      : on_(on),
        product_(on),
        grouping_(on),
        points_flat_(points),
        dimension_(dimension),
        clusters_(clusters),
        point_norms_(count()),
        centroid_norms_(static_cast<std::size_t>(clusters)),
        products_(count() * static_cast<std::size_t>(clusters)),
        distances_(count()),
        labels_(count()),
        sorted_labels_(count()),
        order_(count()),
        sums_(static_cast<std::size_t>(clusters * dimension)),
        starts_(static_cast<std::size_t>(clusters) + 1),
        run_of_(static_cast<std::size_t>(clusters)) {
    ndp::execute<"kmeans_point_norms">(ndp::map(squared_norm{}, points_()),
                                       ndp::make_sequence(point_norms_), on_);
  }

  /// Every point's label becomes that of the nearest centroid.
  void relabel(ndp::sequence<const double> centroids) {
    ndp::execute<"kmeans_centroid_norms">(
        ndp::map(squared_norm{}, ndp::split(centroids, dimension_)),
        ndp::make_sequence(centroid_norms_), on_);
    product_(points_flat_, centroids, dimension_, ndp::make_sequence(products_));
    ndp::execute<"kmeans_nearest">(
        ndp::map(nearest_centroid{read_only(centroid_norms_)}, read_only(point_norms_),
                 ndp::split(read_only(products_), clusters_)),
        ndp::zip(ndp::make_sequence(distances_), ndp::make_sequence(labels_)), on_);
  }

  /// The same without the matrix of products, which costs fewer bytes and more instructions.
  void relabel_directly(ndp::sequence<const double> centroids) {
    ndp::execute<"kmeans_nearest_directly">(
        ndp::map(nearest_centroid_directly{centroids}, points_()),
        ndp::zip(ndp::make_sequence(distances_), ndp::make_sequence(labels_)), on_);
  }

  /// Every centroid becomes the mean of the points that have its label.
  void recalculate(ndp::sequence<double> centroids) {
    // Bring all labels with the same value together
    grouping_(read_only(labels_), clusters_, ndp::make_sequence(sorted_labels_),
              ndp::make_sequence(order_));

    auto s_points_x = ndp::gather(points_(), read_only(order_));
    auto s_prefix = ndp::replicate(0.0, dimension_);
    auto s_sums = ndp::split(ndp::make_sequence(sums_), dimension_);
    ndp::execute<"kmeans_sums">(
        ndp::reduce_by_key(add_points{}, s_points_x, read_only(sorted_labels_), s_prefix), s_sums,
        on_);
    scale(centroids);
  }

#ifndef __CUDACC__
  /// The same, as the paper's listing 5 spells it. Its lambda takes two `point_t`; here the first
  /// is the running sum, which starts as a replicate() and has another type than a point.
  void recalculate_by_lambdas(ndp::sequence<double> centroids) {
    using namespace fettle::ndp;
    grouping_(read_only(labels_), clusters_, make_sequence(sorted_labels_), make_sequence(order_));
    auto s_points_x = gather(points_(), read_only(order_));
    auto s_prefix = replicate(0.0, dimension_);
    auto plus = [](double a, double b) { return a + b; };
    execute(reduce_by_key([=](auto x, auto y) { return map(plus, x, y); }, s_points_x,
                          read_only(sorted_labels_), s_prefix),
            split(make_sequence(sums_), dimension_), on_);
    scale(centroids);
  }
#endif

  [[nodiscard]] const vector_on<Platform, label_t>& labels() const { return labels_; }

  /// The sum of all points' squared distances to their centroids, as of the last relabel().
  [[nodiscard]] double distortion() const {
    return ndp::execute<"kmeans_distortion">(ndp::reduce(ndp::plus{}, read_only(distances_), 0.0),
                                             on_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(points_flat_.size() / dimension_);
  }
  [[nodiscard]] auto points_() const { return ndp::split(points_flat_, dimension_); }

  // The sums by run become means by label.
  void scale(ndp::sequence<double> centroids) {
    const auto starts = ndp::make_sequence(starts_);
    ndp::execute<"kmeans_starts">(
        ndp::map(first_of_label{read_only(sorted_labels_)},
                 ndp::range(label_t{0}, static_cast<label_t>(clusters_ + 1))),
        starts, on_);

    const auto first = ndp::subsequence(starts, 0, clusters_);
    const auto last = ndp::subsequence(starts, 1, clusters_);
    const auto run_of = ndp::make_sequence(run_of_);
    ndp::execute<"kmeans_runs">(
        ndp::scan(ndp::plus{}, ndp::map(has_points{}, first, last), ndp::index_t{0}), run_of, on_);

    const auto sums = ndp::split(read_only(sums_), dimension_);
    const auto centroid_rows = ndp::split(centroids, dimension_);
    ndp::execute<"kmeans_means">(
        ndp::map(mean_of_run<decltype(sums)>{sums}, run_of, first, last, centroid_rows),
        centroid_rows, on_);
  }

  Platform on_;
  matrix_product<Platform> product_;
  label_grouping<Platform> grouping_;
  ndp::sequence<const double> points_flat_;
  ndp::index_t dimension_;
  ndp::index_t clusters_;
  vector_on<Platform, double> point_norms_;
  vector_on<Platform, double> centroid_norms_;
  vector_on<Platform, double> products_;   // a row a point: its products with all centroids
  vector_on<Platform, double> distances_;  // to the nearest centroid, squared
  vector_on<Platform, label_t> labels_;
  vector_on<Platform, label_t> sorted_labels_;
  vector_on<Platform, point_number> order_;  // points by ascending label
  vector_on<Platform, double> sums_;         // a row for every label that occurs
  vector_on<Platform, ndp::index_t> starts_;
  vector_on<Platform, ndp::index_t> run_of_;
};

}  // namespace examples
