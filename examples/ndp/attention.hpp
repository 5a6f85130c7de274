// Attention of one query over a cache of keys and values, as a program with a branch: both the
// weights and the best keys are made of the scores.
//   scores   map > row program   the query . each key, scaled
//   weights  map > row program   softmax of the row of scores
//   best     map > reduce        the largest scores of the row, with their keys
//   output   map > reduce        for each column of the values, weights . column
#pragma once

#include <cmath>

#include "support/platform.hpp"

namespace examples {

struct score_of_key {
  double scale;
  template <typename Key, typename Query>
  FETTLE_HOST_DEVICE auto operator()(const Key& key, const Query& query) const {
    return scale * ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, key, query), 0.0);
  }
};

struct exp_above {
  double largest;
  FETTLE_HOST_DEVICE double operator()(double x) const { return exp(x - largest); }
};
struct times_factor {
  double factor;
  FETTLE_HOST_DEVICE double operator()(double x) const { return x * factor; }
};
struct softmax {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    const double largest = ndp::reduce(ndp::maximum{}, row);
    const auto powers = ndp::map(exp_above{largest}, row);
    const double sum = ndp::reduce(ndp::plus{}, powers);
    return ndp::map(times_factor{1 / sum}, powers);
  }
};

/// The K largest of some values with their indices, largest first; of equal ones the first.
template <int K>
struct top {
  double value[K];
  int index[K];
  friend bool operator==(const top&, const top&) = default;
};

template <int K>
struct only_value {
  FETTLE_HOST_DEVICE top<K> operator()(double value, ndp::index_t i) const {
    top<K> one;
    for (int k = 0; k < K; ++k) {
      one.value[k] = k == 0 ? value : -1e300;
      one.index[k] = k == 0 ? static_cast<int>(i) : -1;
    }
    return one;
  }
};
template <int K>
struct merge_tops {
  FETTLE_HOST_DEVICE top<K> operator()(const top<K>& a, const top<K>& b) const {
    top<K> both;
    int i = 0;
    int j = 0;
    for (int k = 0; k < K; ++k) {
      const bool from_b = b.value[j] > a.value[i];
      both.value[k] = from_b ? b.value[j] : a.value[i];
      both.index[k] = from_b ? b.index[j] : a.index[i];
      (from_b ? j : i) += 1;
    }
    return both;
  }
};
template <int K>
struct top_of_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    top<K> none;
    for (int k = 0; k < K; ++k) {
      none.value[k] = -1e300;
      none.index[k] = -1;
    }
    return ndp::reduce(merge_tops<K>{}, ndp::map(only_value<K>{}, row, ndp::range(0, row.size())),
                       none);
  }
};

struct weighted_sum {
  template <typename Column, typename Weights>
  FETTLE_HOST_DEVICE auto operator()(const Column& column, const Weights& weights) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, column, weights), 0.0);
  }
};

/// Keys and values have a row of as many elements as the query for each position.
struct attention_sequences {
  ndp::sequence<const double> query, keys, values;
};

inline constexpr int best_keys = 4;

template <typename Platform>
ndp::basic_program<Platform> attention(const attention_sequences& s, ndp::sequence<double> output,
                                       ndp::sequence<top<best_keys>> best) {
  ndp::basic_program<Platform> p;
  const ndp::index_t d = s.query.size();
  const ndp::index_t n = s.keys.size() / d;
  const auto scores =
      p.template add<"scores">(ndp::map(score_of_key{1 / std::sqrt(static_cast<double>(d))},
                                        ndp::make_grid(s.keys, n, d), ndp::replicate(s.query, n)));
  const auto row = ndp::make_grid(scores, 1, n);
  const auto weights = p.template add<"weights">(ndp::map(softmax{}, row));
  p.template add<"best">(ndp::map(top_of_row<best_keys>{}, row), best);
  p.template add<"output">(
      ndp::map(weighted_sum{}, ndp::transpose(ndp::make_grid(s.values, n, d), d),
               ndp::replicate(weights, d)),
      output);
  return p;
}

}  // namespace examples
