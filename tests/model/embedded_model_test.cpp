#include <cstring>
#include <random>

#include <fettle/model/embedded_model.hpp>

#include "model/golden/forest/spmv_model.hpp"
#include "model/golden/refined/mm_model.hpp"
#include "model/golden/svm/spmv_model.hpp"
#include "support/catch.hpp"

using namespace fettle::model;

namespace {

const std::string golden = std::string(FETTLE_SOURCE_DIR) + "/tests/model/golden/";

struct no_model {};

static_assert(embedded_model<fettle::tuned_models::spmv_svm>);
static_assert(embedded_model<fettle::tuned_models::spmv_forest>);
static_assert(!embedded_model<no_model> && !embedded_model<int>);

/// Number of inputs on which the embedded model and the directory's differ in a single bit.
template <typename Embedded>
int differences(const std::string& directory) {
  const loaded_model file = load_model_directory(directory);
  const loaded_model embedded = from_embedded<Embedded>();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-2, 20);
  int different = 0;
  for (int i = 0; i < 20000; ++i) {
    const double features[] = {std::exp(exponent(random)), std::exp(exponent(random)), 0, 0};
    double x[3];
    double y[3];
    const decision one = file.predictor.decide(features, x);
    const decision other = embedded.predictor.decide(features, y);
    different += !(one == other) || std::memcmp(x, y, sizeof x) != 0;
  }
  return different;
}

}  // namespace

TEST_CASE("an embedded model says what its directory says") {
  const loaded_model file = load_model_directory(golden + "svm/spmv");
  const loaded_model embedded = from_embedded<fettle::tuned_models::spmv_svm>();
  CHECK(embedded.classifier == file.classifier);
  CHECK(embedded.variants == file.variants);
  CHECK(embedded.features == file.features);
  CHECK(embedded.default_variant == file.default_variant);
  CHECK(embedded.used_features == file.used_features);
  CHECK(embedded.inputs == file.inputs);
  CHECK(embedded.provenance == file.provenance);
}

TEST_CASE("an embedded model decides bit for bit as its directory") {
  CHECK(differences<fettle::tuned_models::spmv_svm>(golden + "svm/spmv") == 0);
  CHECK(differences<fettle::tuned_models::spmv_forest>(golden + "forest/spmv") == 0);
}

TEST_CASE("an embedded model has the parameters and refinements of its directory") {
  const loaded_model file = load_model_directory(golden + "refined/mm");
  const loaded_model embedded = from_embedded<fettle::tuned_models::mm>();
  REQUIRE(embedded.parameters.size() == file.parameters.size());
  CHECK(embedded.parameters[0].variant == file.parameters[0].variant);
  CHECK(embedded.parameters[0].parameters == file.parameters[0].parameters);
  REQUIRE(embedded.refinements.size() == file.refinements.size());
  CHECK(embedded.refinements[0] == nullptr);
  REQUIRE(embedded.refinements[1] != nullptr);
  const loaded_model& below = *embedded.refinements[1];
  CHECK(below.variants == file.refinements[1]->variants);
  CHECK(below.features == file.refinements[1]->features);
  CHECK(below.used_features == file.refinements[1]->used_features);
  for (const double m : {0.0, 10.0, 20.0, 20.5, 99.0}) {
    const std::vector<double> features{50.0, m};
    CHECK(below.predictor.decide(features) == file.refinements[1]->predictor.decide(features));
  }
  CHECK(from_embedded<fettle::tuned_models::spmv_svm>().parameters.empty());
  CHECK(from_embedded<fettle::tuned_models::spmv_svm>().refinements.empty());
}
