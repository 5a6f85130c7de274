#include <cmath>
#include <random>
#include <vector>

#include <fettle/model/raw_stage.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

TEST_CASE("what the raw stage is sure of, the input stage confirms") {
  std::mt19937_64 random(1);
  const std::vector<double> values{
      -1e300, -5, -1,  -0.0,  0.0,   5e-324, 1e-310,       1e-200,
      0.1,    1,  2.7, 1e100, 1e300, 1e308,  std::nan(""), std::numeric_limits<double>::infinity()};
  int sure = 0;
  int unsure_but_inside = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto pick = [&] {
      if (random() % 2 == 0) return values[random() % values.size()];
      return std::exp(std::uniform_real_distribution<double>(-5, 5)(random));
    };
    std::uniform_real_distribution<double> end(-6, 6);
    double low = random() % 8 == 0 ? -800 : end(random);
    double high = random() % 8 == 0 ? 800 : end(random);
    if (low > high) std::swap(low, high);
    const model_input input{static_cast<transform>(random() % 4), 0, 1, low, high};
    std::optional<double> guard;
    if (random() % 4 != 0) guard = random() % 4 == 0 ? 0.0 : 0.3;
    const double f[] = {pick(), pick()};
    double raw = 0;
    double t = 0;
    const bool surely = raw_stage(std::span(&input, 1), guard).surely_inside(f, &raw);
    const bool inside = input_stage(std::span(&input, 1), guard).transformed(f, &t);
    if (surely) {
      REQUIRE(inside);
      REQUIRE(raw == (has_divisor(input.kind) ? f[0] / f[1] : f[0]));
    }
    sure += surely;
    unsure_but_inside += inside && !surely;
  }
  CHECK(sure > 20000);
  CHECK(unsure_but_inside < sure / 10);  // it gives up only far out, where half of these inputs are
}

TEST_CASE("fractions are left to input_stage") {
  for (const transform kind : {transform::fraction, transform::root_fraction}) {
    const model_input inputs[] = {{transform::linear, 0, 0, 1, 9}, {kind, 0, 1, 0, 0.9}};
    const double f[] = {7, 2};
    double raw[2];
    double t[2];
    CHECK_FALSE(raw_stage(inputs, 0.25).surely_inside(f, raw));
    CHECK(input_stage(inputs, 0.25).transformed(f, t));
    CHECK(t[1] == (kind == transform::fraction ? 0.5 : std::sqrt(7.0) - 2));
  }
}

TEST_CASE("an anchor answers as its threshold does") {
  std::mt19937_64 random(2);
  int answered = 0;
  for (int i = 0; i < 200000; ++i) {
    const double threshold = std::uniform_real_distribution<double>(-700, 700)(random);
    const detail::anchor a = detail::anchor_of(threshold, true);
    // Values at the anchor, a few bits beside it, and anywhere.
    double value = std::exp(threshold);
    const int steps = static_cast<int>(random() % 20);
    for (int step = 0; step < steps; ++step)
      value = std::nextafter(value, random() % 2 ? 1e308 : 0);
    if (i % 2 == 0) value *= 1 + std::uniform_real_distribution<double>(-4e-12, 4e-12)(random);
    if (value >= a.below && value <= a.above) continue;
    REQUIRE((value > a.above) == (std::log(value) > threshold));
    ++answered;
  }
  CHECK(answered > 50000);
  CHECK(detail::anchor_of(3.5, false).below == 3.5);
  CHECK(detail::anchor_of(3.5, false).above == 3.5);
  CHECK(detail::anchor_of(601, true).below == -std::numeric_limits<double>::max());
  CHECK(detail::anchor_of(601, true).above == std::numeric_limits<double>::max());
}
