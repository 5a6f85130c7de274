// k-means in one pass over the points an iteration, for processors: a point is labelled and added
// up while it is at hand, and nothing but its label is written. The means are those of kmeans.hpp.
//
//   columns  gather        the centroids, coordinate by coordinate
//   tiles    map           labels, sums and counts of a tile of points
//   totals   map > reduce  the same of all tiles, number by number
//   means    map > map     sums over counts
#pragma once

#include <algorithm>

#include "../reduction.hpp"
#include "kmeans.hpp"

namespace examples {

/// Labels the points of a tile and adds them up by label. Returns the sum of the points' smallest
/// y.y - 2 x.y: their squared distances without x.x.
struct cluster_tile {
  static constexpr int points_at_once = 8;
  static constexpr int centroids_at_once = 4;  // of which columns and norms hold a multiple

  ndp::sequence<const double> columns;  // the first coordinate of all centroids, the second, ...
  ndp::sequence<const double> norms;    // infinite where there is no centroid
  ndp::index_t dimension;

  /// `sums` is a row of `dimension` sums and a count for every label.
  double operator()(ndp::sequence<const double> points, ndp::sequence<label_t> labels,
                    ndp::sequence<double> sums) const {
    std::fill_n(sums.data(), sums.size(), 0.0);
    double distances = 0;
    for (ndp::index_t first = 0; first < labels.size(); first += points_at_once) {
      candidate nearest[points_at_once];
      find_nearest(points.data(), first, labels.size() - 1, nearest);
      const ndp::index_t end = std::min(first + points_at_once, labels.size());
      for (ndp::index_t i = first; i < end; ++i) {
        const auto [distance, label] = nearest[i - first];
        labels[i] = label;
        distances += distance;
        const double* x = points.data() + i * dimension;
        double* sum = sums.data() + label * (dimension + 1);
#pragma omp simd
        for (ndp::index_t c = 0; c < dimension; ++c) sum[c] += x[c];
        sum[dimension] += 1;
      }
    }
    return distances;
  }

 private:
  /// Of the points from `first` on; where there are too few, the last one is taken again.
  void find_nearest(const double* points, ndp::index_t first, ndp::index_t last,
                    candidate (&nearest)[points_at_once]) const {
    const double* x[points_at_once];
    for (int p = 0; p < points_at_once; ++p) {
      x[p] = points + std::min(first + p, last) * dimension;
      nearest[p] = ndp::tuple_of<double, label_t>(infinitely_far, 0);
    }
    for (ndp::index_t j = 0; j < norms.size(); j += centroids_at_once) {
      double products[points_at_once][centroids_at_once] = {};
      const double* y = columns.data() + j;
      for (ndp::index_t c = 0; c < dimension; ++c, y += norms.size()) {
        for (int p = 0; p < points_at_once; ++p) {
#pragma omp simd
          for (int k = 0; k < centroids_at_once; ++k) products[p][k] += x[p][c] * y[k];
        }
      }
      for (int p = 0; p < points_at_once; ++p) {
        for (int k = 0; k < centroids_at_once; ++k) {
          auto& [least, label] = nearest[p];
          const double distance = norms[j + k] - 2 * products[p][k];
          // No branch: which centroid is the nearest cannot be predicted.
          label = distance < least ? static_cast<label_t>(j + k) : label;
          least = distance < least ? distance : least;
        }
      }
    }
  }
};

/// The mean of a label's points; `total` holds their sums and their count.
struct mean_of_total {
  template <typename Total, typename Centroid>
  FETTLE_HOST_DEVICE auto operator()(Total total, Centroid before) const {
    const ndp::index_t dimension = before.size();
    return ndp::map(mean{static_cast<ndp::index_t>(total[dimension])},
                    ndp::subsequence(total, 0, dimension), before);
  }
};

/// Clusters points of `dimension` coordinates, without gaps, into `clusters`.
template <typename Platform>
class tiled_kmeans {
 public:
  tiled_kmeans(const Platform& on, ndp::sequence<const double> points, ndp::index_t dimension,
               ndp::index_t clusters)
      : on_(on),
        points_(points),
        dimension_(dimension),
        clusters_(clusters),
        // Enough tiles for many threads, few enough that their sums are little beside the points.
        tile_(std::max<ndp::index_t>(1024, ndp::ceiling_quotient(count(), 1024))),
        column_order_(static_cast<std::size_t>(padded() * dimension)),
        columns_(column_order_.size()),
        norms_(static_cast<std::size_t>(padded()), infinitely_far),
        labels_(static_cast<std::size_t>(count())),
        distances_(static_cast<std::size_t>(ndp::ceiling_quotient(count(), tile_))),
        tile_sums_(distances_.size() * static_cast<std::size_t>(clusters * (dimension + 1))),
        totals_(static_cast<std::size_t>(clusters * (dimension + 1))),
        point_norms_(ndp::execute<"kmeans_all_norms">(
            ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, points, points), 0.0), on)) {
    for (ndp::index_t c = 0; c < dimension; ++c) {
      for (ndp::index_t j = 0; j < padded(); ++j) {
        column_order_[static_cast<std::size_t>(c * padded() + j)] =
            std::min(j, clusters - 1) * dimension + c;
      }
    }
  }

  /// Every point's label becomes that of the nearest centroid; every centroid becomes the mean of
  /// the points that have its label, or stays where it is.
  void iterate(ndp::sequence<double> centroids) {
    const auto rows = ndp::split(centroids, dimension_);
    const ndp::sequence<double> norms = ndp::make_sequence(norms_);
    ndp::execute<"kmeans_centroid_norms">(ndp::map(squared_norm{}, rows),
                                          ndp::subsequence(norms, 0, clusters_), on_);
    ndp::execute<"kmeans_columns">(ndp::gather(centroids, read_only(column_order_)),
                                   ndp::make_sequence(columns_), on_);

    const ndp::index_t width = clusters_ * (dimension_ + 1);
    ndp::execute<"kmeans_tiles">(ndp::map(cluster_tile{read_only(columns_), norms, dimension_},
                                          ndp::split(points_, tile_ * dimension_),
                                          ndp::split(ndp::make_sequence(labels_), tile_),
                                          ndp::split(ndp::make_sequence(tile_sums_), width)),
                                 ndp::make_sequence(distances_), on_);

    const auto totals = ndp::make_sequence(totals_);
    ndp::execute<"kmeans_totals">(
        ndp::map(row_reduce<double>{}, ndp::transpose(ndp::split(read_only(tile_sums_), width))),
        totals, on_);
    ndp::execute<"kmeans_tile_means">(
        ndp::map(mean_of_total{}, ndp::split(totals, dimension_ + 1), rows), rows, on_);
  }

  [[nodiscard]] const vector_on<Platform, label_t>& labels() const { return labels_; }

  /// The sum of all points' squared distances to the centroids that they were labelled by.
  [[nodiscard]] double distortion() const {
    return point_norms_ + ndp::execute<"kmeans_tile_distortion">(
                              ndp::reduce(ndp::plus{}, read_only(distances_), 0.0), on_);
  }

 private:
  [[nodiscard]] ndp::index_t count() const { return points_.size() / dimension_; }
  [[nodiscard]] ndp::index_t padded() const {
    constexpr ndp::index_t multiple = cluster_tile::centroids_at_once;
    return ndp::ceiling_quotient(clusters_, multiple) * multiple;
  }

  Platform on_;
  ndp::sequence<const double> points_;
  ndp::index_t dimension_;
  ndp::index_t clusters_;
  ndp::index_t tile_;
  vector_on<Platform, ndp::index_t> column_order_;
  vector_on<Platform, double> columns_;
  vector_on<Platform, double> norms_;
  vector_on<Platform, label_t> labels_;
  vector_on<Platform, double> distances_;  // of a tile each, without the points' norms
  vector_on<Platform, double> tile_sums_;
  vector_on<Platform, double> totals_;
  double point_norms_;  // of all points together
};

}  // namespace examples
