// The parts of k-means that are a library's, for kmeans<by_default_rule<...>>: matrix product and
// sort are the platform's.
#pragma once

#include "../../../examples/ndp/kmeans/kmeans.hpp"
#include "../common/default_rule.hpp"

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
