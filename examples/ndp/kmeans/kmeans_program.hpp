// k-means as a program: an iteration is
//   nearest     map               a point's nearest centroid and its distance
//   distortion  reduce            the sum of the distances
//   labels      map
//   counts      reduce_by_index   points of a label
//   sums        reduce_by_index   each coordinate's sum by label: the bin is (label, coordinate)
//   means       map               the new centroids, in their place
// Points need not be brought into the order of their labels. Only the centroids, labels and the
// distortion are the user's memory.
#pragma once

#include "kmeans.hpp"

namespace examples {

struct label_of {
  FETTLE_HOST_DEVICE label_t operator()(const candidate& nearest) const {
    return ndp::get<1>(nearest);
  }
};
struct distance_of {
  FETTLE_HOST_DEVICE double operator()(const candidate& nearest) const {
    return ndp::get<0>(nearest);
  }
};
/// Which row an element of a table belongs to.
struct row_of_element {
  ndp::index_t width;
  FETTLE_HOST_DEVICE ndp::index_t operator()(ndp::index_t i) const { return i / width; }
};
struct bin_of_coordinate {
  ndp::index_t dimension;
  FETTLE_HOST_DEVICE ndp::index_t operator()(label_t label, ndp::index_t i) const {
    return label * dimension + i % dimension;
  }
};
struct mean_of_label {
  FETTLE_HOST_DEVICE double operator()(double sum, ndp::index_t count, double before) const {
    return count == 0 ? before : sum / static_cast<double>(count);
  }
};

struct kmeans_sequences {
  ndp::sequence<const double> points;
  ndp::sequence<double> centroids;
  ndp::sequence<label_t> labels;
  ndp::sequence<double> distortion;  // one value
};

template <typename Platform>
ndp::basic_program<Platform> kmeans_iteration(const kmeans_sequences& s, ndp::index_t dimension) {
  const ndp::index_t clusters = s.centroids.size() / dimension;
  const ndp::index_t count = s.points.size() / dimension;
  ndp::basic_program<Platform> p;
  const auto nearest = p.template add<"nearest">(
      ndp::map(nearest_centroid_directly{s.centroids}, ndp::split(s.points, dimension)));
  p.template add<"distortion">(ndp::reduce(ndp::plus{}, ndp::map(distance_of{}, nearest), 0.0),
                               s.distortion);
  const auto labels = p.template add<"labels">(ndp::map(label_of{}, nearest), s.labels);
  const auto counts = p.template add<"counts">(ndp::reduce_by_index(
      ndp::plus{}, ndp::replicate(ndp::index_t{1}, count), labels, clusters, ndp::index_t{0}));
  const auto elements = ndp::range(ndp::index_t{0}, count * dimension);
  const auto label_of_element = ndp::gather(labels, ndp::map(row_of_element{dimension}, elements));
  const auto sums = p.template add<"sums">(ndp::reduce_by_index(
      ndp::plus{}, s.points, ndp::map(bin_of_coordinate{dimension}, label_of_element, elements),
      clusters * dimension, 0.0));
  const auto rows =
      ndp::map(row_of_element{dimension}, ndp::range(ndp::index_t{0}, clusters * dimension));
  p.template add<"means">(ndp::map(mean_of_label{}, sums, ndp::gather(counts, rows), s.centroids),
                          s.centroids);
  return p;
}

}  // namespace examples
