#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fettle/model/input_stage.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// docs/formats.md, word for word.
double defined(const model_input& input, const std::vector<double>& f) {
  switch (input.kind) {
    case transform::linear:
      return f[input.feature];
    case transform::log:
      return std::log(f[input.feature]);
    case transform::ratio:
      return f[input.feature] / f[input.divisor];
    case transform::log_ratio:
      return std::log(f[input.feature]) - std::log(f[input.divisor]);
    case transform::fraction: {
      const double quotient = f[input.feature] / f[input.divisor];
      return quotient - std::floor(quotient);
    }
    case transform::root_fraction:
      return std::sqrt(f[input.feature]) - std::floor(std::sqrt(f[input.feature]));
  }
  return quiet_nan;
}

const std::vector<model_input> all_kinds{
    {transform::linear, 0, 0, -2, 6},
    {transform::log, 0, 0, 0, 3},
    {transform::ratio, 1, 2, 0.5, 20},
    {transform::log_ratio, 1, 2, -1, 3},
    {transform::log, 1, 0, 1, 4},
    {transform::linear, 2, 0, 5, 5},
    {transform::log_ratio, 2, 0, -10, 10},
    {transform::fraction, 1, 2, 0, 0.75},
    {transform::root_fraction, 0, 0, 0.1, 0.9},
};

bool inside(const model_input& input, std::optional<double> guard, double f) {
  const input_stage stage(std::span(&input, 1), guard);
  double t = 0;
  return stage.transformed(&f, &t);
}

}  // namespace

TEST_CASE("inputs are transformed and scaled as the format defines it") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-3, 3);
  const input_stage stage(all_kinds, 100.0);
  REQUIRE(stage.count() == all_kinds.size());
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> f{std::exp(exponent(random)), std::exp(exponent(random)),
                                std::exp(exponent(random))};
    std::vector<double> t(all_kinds.size());
    std::vector<double> x(all_kinds.size());
    REQUIRE(stage.transformed(f.data(), t.data()));
    REQUIRE(stage.scaled(f.data(), x.data()));
    for (std::size_t k = 0; k < all_kinds.size(); ++k) {
      const model_input& input = all_kinds[k];
      const double expected = defined(input, f);
      REQUIRE(t[k] == expected);
      REQUIRE(stage.transformed_alone(k, f.data()) == expected);
      const double range = input.high - input.low;
      REQUIRE(x[k] == (range > 0 ? 2 * (expected - input.low) / range - 1 : 0));
    }
  }
}

TEST_CASE("the training range becomes [-1, 1]") {
  const input_stage stage(std::span(&all_kinds[0], 1), 0.0);
  for (const auto& [feature, scaled] : {std::pair{-2.0, -1.0}, {6.0, 1.0}, {2.0, 0.0}}) {
    double x = 7;
    CHECK(stage.scaled(&feature, &x));
    CHECK(x == scaled);
  }
}

TEST_CASE("the guard has slack on both sides, a fraction of the range") {
  const model_input input{transform::linear, 0, 0, 10, 20};
  CHECK(inside(input, 0.25, 7.5));
  CHECK(inside(input, 0.25, 22.5));
  CHECK_FALSE(inside(input, 0.25, std::nextafter(7.5, 0)));
  CHECK_FALSE(inside(input, 0.25, std::nextafter(22.5, 30)));
  CHECK_FALSE(inside(input, 0.0, 9.999));
  CHECK(inside(input, std::nullopt, 1e300));
}

TEST_CASE("an input that was constant in training has slack by its size, at least 1") {
  const model_input large{transform::linear, 0, 0, -100, -100};
  CHECK(inside(large, 0.1, -109.9));
  CHECK_FALSE(inside(large, 0.1, -110.1));
  const model_input small{transform::linear, 0, 0, 0.5, 0.5};
  CHECK(inside(small, 0.1, 0.59));
  CHECK_FALSE(inside(small, 0.1, 0.61));
}

TEST_CASE("what has no logarithm or is not finite is outside, and counts as low") {
  for (const transform kind : {transform::linear, transform::log}) {
    const model_input input{kind, 0, 0, -1, 2};
    for (const std::optional<double>& guard : {std::optional<double>(0.5), {}}) {
      const input_stage stage(std::span(&input, 1), guard);
      for (const double f : {quiet_nan, infinity, -infinity, 0.0, -0.0, -3.0}) {
        if (kind == transform::linear && fettle::is_finite(f)) continue;
        double t = 7;
        double x = 7;
        CHECK_FALSE(stage.transformed(&f, &t));
        CHECK(t == -1);
        CHECK_FALSE(stage.scaled(&f, &x));
        CHECK(x == -1);
      }
    }
  }
  for (const transform kind : {transform::ratio, transform::log_ratio}) {
    const model_input input{kind, 0, 1, -1, 2};
    const input_stage stage(std::span(&input, 1), 1e6);
    for (const auto& f : std::vector<std::vector<double>>{
             {1, 0}, {0, 0}, {quiet_nan, 1}, {1, quiet_nan}, {infinity, infinity}}) {
      double t = 7;
      CHECK_FALSE(stage.transformed(f.data(), &t));
      CHECK(t == -1);
    }
  }
  const model_input log_ratio{transform::log_ratio, 0, 1, 0, 5};
  const double both_negative[] = {-4, -2};  // their ratio is 2, but they have no logarithms
  double t = 7;
  CHECK_FALSE(input_stage(std::span(&log_ratio, 1), 1e6).transformed(both_negative, &t));
  CHECK(t == 0);
}

TEST_CASE("the common case agrees with the definition, and knows when it does not apply") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-3, 4);
  const double odd[] = {quiet_nan, infinity, -infinity, 0, -1, 1e308, 5e-324};
  int inside = 0;
  for (const std::optional<double>& guard : {std::optional<double>(0.3), std::optional(50.0), {}}) {
    const input_stage stage(all_kinds, guard);
    for (int i = 0; i < 20000; ++i) {
      std::vector<double> f;
      for (int k = 0; k < 3; ++k) {
        f.push_back(random() % 20 == 0 ? odd[random() % std::size(odd)]
                                       : std::exp(exponent(random)));
      }
      std::vector<double> x(all_kinds.size());
      std::vector<double> rough(all_kinds.size());
      const bool truly = stage.scaled(f.data(), x.data());
      REQUIRE(stage.scaled_if_inside(f.data(), rough.data()) == truly);
      if (!truly) continue;
      ++inside;
      for (std::size_t k = 0; k < x.size(); ++k) {
        REQUIRE(std::fabs(rough[k] - x[k]) <= 4 * 0x1p-53 * (std::fabs(x[k]) + 1));
      }
    }
  }
  CHECK(inside > 5000);
}

TEST_CASE("features that no input names are not read") {
  const model_input input{transform::log, 3, 0, 0, 9};
  const input_stage stage(std::span(&input, 1), 0.0);
  const double f[] = {quiet_nan, quiet_nan, quiet_nan, 8};
  double t = 0;
  CHECK(stage.transformed(f, &t));
  CHECK(t == std::log(8.0));
}

TEST_CASE("as many inputs as there may be") {
  std::vector<model_input> inputs;
  std::vector<double> f;
  for (std::uint16_t i = 0; i < maximum_inputs; ++i) {
    inputs.push_back({transform::log_ratio, i, static_cast<std::uint16_t>(63 - i), -9, 9});
    f.push_back(i + 1.0);
  }
  std::vector<double> t(maximum_inputs);
  CHECK(input_stage(inputs, 0.0).transformed(f.data(), t.data()));
  for (std::size_t i = 0; i < maximum_inputs; ++i) {
    CHECK(t[i] == std::log(f[i]) - std::log(f[maximum_inputs - 1 - i]));
  }
}
