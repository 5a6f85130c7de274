// Programs built with -ffast-math let the compiler reorder sums and forget about infinity and NaN.
// Selection must not change: this file compiles the predictors that way (with GCC; Clang has no
// such pragma) and compares them with libsvm.
#include "support/catch.hpp"

#if __has_include(<libsvm/svm.h>)

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "model/machine.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "fast-math")
#endif
#include <fettle/model/predictor.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

using namespace fettle::model;

namespace {

std::vector<model_input> unscaled_inputs(std::size_t count) {
  std::vector<model_input> inputs;
  for (std::uint16_t i = 0; i < count; ++i) inputs.push_back({transform::linear, i, 0, -1, 1});
  return inputs;
}

}  // namespace

TEST_CASE("the choice is svm_predict's in a program built with -ffast-math, too") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1.2, 1.2);
  for (const fettle_test::machine_shape& shape :
       {fettle_test::machine_shape{.classes = 6, .vectors = 50, .inputs = 5},
        fettle_test::machine_shape{.classes = 3, .vectors = 120, .inputs = 2, .gamma = 90},
        fettle_test::machine_shape{.classes = 20, .vectors = 60, .inputs = 3}}) {
    const auto m = fettle_test::random_machine(shape, random);
    const fettle_test::flat_machine flat(m);
    const fettle_test::libsvm_machine reference(m);
    for (std::size_t lanes = 1; lanes <= detail::best_lanes(); lanes *= 2) {
      std::vector<double> storage(detail::lane_storage(shape.classes, shape.vectors, shape.inputs));
      const predictor made(svm_predictor(unscaled_inputs(shape.inputs), 0.5, flat.view, storage, {},
                                         lanes == 1 ? 0 : lanes),
                           64);
      int different = 0;
      for (int i = 0; i < 10000; ++i) {
        std::vector<double> x(shape.inputs);
        for (double& value : x) value = unit(random);
        different += made.decide(x).variant != reference.predict(x.data());
      }
      INFO("classes " << shape.classes << ", lanes " << lanes);
      CHECK(different == 0);
    }
  }
}

TEST_CASE("what is not finite is still outside") {
  std::mt19937_64 random(2);
  const auto m = fettle_test::random_machine({.classes = 3, .vectors = 9, .inputs = 4}, random);
  const fettle_test::flat_machine flat(m);
  const std::vector<model_input> inputs{{transform::linear, 0, 0, -1, 1},
                                        {transform::log, 1, 0, -1, 1},
                                        {transform::ratio, 2, 3, -1, 1},
                                        {transform::log_ratio, 2, 3, -1, 1}};
  std::vector<double> storage(detail::lane_storage(3, 9, 4));
  const predictor guarded(svm_predictor(inputs, 0.5, flat.view, storage), 8);
  const predictor unguarded(svm_predictor(inputs, std::nullopt, flat.view, storage), 8);
  CHECK(guarded.decide(std::vector<double>{0, 1, 0.5, 0.6}).inside);
  const double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (const double value : odd) {
    for (std::size_t place = 0; place < 4; ++place) {
      std::vector<double> features{0, 1, 0.5, 0.6};
      features[place] = value;
      INFO("feature " << place << " is " << value);
      CHECK_FALSE(guarded.decide(features).inside);
      // x / infinity is 0 and, without a guard, as good as any ratio; its logarithm is none.
      CHECK_FALSE(unguarded.decide(features).inside);
    }
  }
  CHECK_FALSE(guarded.decide(std::vector<double>{0, 0, 0.5, 0.6}).inside);
  CHECK_FALSE(guarded.decide(std::vector<double>{0, -1, 0.5, 0.6}).inside);
}

#else
#include "support/skip.hpp"

TEST_CASE("skipped: fast math") { test::skip_program("needs libsvm to compare with"); }
#endif
