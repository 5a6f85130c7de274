#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include <fettle/model/model_directory.hpp>
#include <fettle/model/predictor.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

using namespace fettle::model;

namespace {

const std::string golden = std::string(FETTLE_SOURCE_DIR) + "/tests/model/golden/";

static_assert(std::is_copy_constructible_v<predictor> && std::is_copy_assignable_v<predictor>);
static_assert(noexcept(std::declval<const predictor&>().decide({})));

std::vector<std::vector<double>> random_features(std::size_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-2, 18);
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({std::exp(exponent(random)), std::exp(exponent(random)), 0, 0});
  }
  return all;
}

}  // namespace

#ifndef TEST_CANNOT_COUNT_ALLOCATIONS
TEST_CASE("decisions allocate nothing, near or far, with scores or without") {
  const auto features = random_features(2000);
  for (const char* kind : {"svm", "tree", "forest"}) {
    const loaded_model model = load_model_directory(golden + kind + "/spmv");
    double scores[3];
    std::size_t sum = 0;
    const std::size_t before = test::allocations;
    for (const auto& f : features) {
      sum += model.predictor.decide(f).variant + model.predictor.decide(f, scores).variant;
    }
    const std::size_t after = test::allocations;
    CHECK(after == before);
    CHECK(sum > 0);
  }
}
#endif

TEST_CASE("the chosen variant has the best score, asked for or not") {
  const auto features = random_features(5000);
  for (const char* kind : {"svm", "tree", "forest"}) {
    const loaded_model model = load_model_directory(golden + kind + "/spmv");
    int wrong = 0;
    for (const auto& f : features) {
      std::vector<double> scores(3);
      const decision made = model.predictor.decide(f, scores);
      wrong += !(model.predictor.decide(f) == made);
      for (const double score : scores) wrong += score > scores[made.variant];
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the lines that a decision reads first are its own, and those of the tables") {
  static_assert(alignof(predictor) == 64);
  for (const char* kind : {"svm", "tree", "forest"}) {
    const loaded_model model = load_model_directory(golden + kind + "/spmv");
    const decision_lines first = model.predictor.first_lines();
    CHECK(first.own == &model.predictor);
    CHECK(first.tables != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(first.tables) % 64 == 0);
    const predictor copy = model.predictor;
    CHECK(copy.first_lines().own == &copy);
    CHECK(copy.first_lines().tables == first.tables);
  }
}

TEST_CASE("copies share tables and outlive the original") {
  const auto features = random_features(200);
  std::vector<decision> expected;
  std::optional<predictor> copy;
  {
    const loaded_model model = load_model_directory(golden + "svm/spmv");
    copy = model.predictor;
    for (const auto& f : features) expected.push_back(model.predictor.decide(f));
  }
  const predictor again = *copy;
  copy.reset();
  for (std::size_t i = 0; i < features.size(); ++i) CHECK(again.decide(features[i]) == expected[i]);
}

TEST_CASE("threads may decide at the same time") {
  const auto features = random_features(500);
  for (const char* kind : {"svm", "forest"}) {
    const loaded_model model = load_model_directory(golden + kind + "/spmv");
    std::vector<decision> expected;
    for (const auto& f : features) expected.push_back(model.predictor.decide(f));
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::size_t i = 0; i < features.size(); ++i) {
          wrong += !(model.predictor.decide(features[i]) == expected[i]);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}
