#include <cmath>
#include <random>
#include <vector>

#include <fettle/measure/statistics.hpp>

#include "support/catch.hpp"

using fettle::confidence_smaller;
using fettle::median;
using samples = std::vector<double>;

TEST_CASE("the median is the middle value, whatever the order") {
  CHECK(std::isnan(median({})));
  CHECK(median(samples{3.0}) == 3.0);
  CHECK(median(samples{4.0, 1.0}) == 2.5);
  CHECK(median(samples{9.0, 1.0, 5.0}) == 5.0);
  CHECK(median(samples{1.0, 100.0, 2.0, 3.0}) == 2.5);
}

TEST_CASE("complete separation gives the exact probabilities of the rank-sum test") {
  // 1 - 1 / (n + m choose n)
  CHECK(confidence_smaller(samples{1, 2, 3}, samples{4, 5, 6}) == approx(1.0 - 1.0 / 20.0));
  CHECK(confidence_smaller(samples{1, 2, 3, 4}, samples{5, 6, 7, 8}) == approx(1.0 - 1.0 / 70.0));
  CHECK(confidence_smaller(samples{1}, samples{2}) == approx(0.5));
}

TEST_CASE("one exchange lowers the confidence by the next term of the distribution") {
  // U = 8 of 9: the tail holds two of the twenty arrangements.
  CHECK(confidence_smaller(samples{1, 2, 4}, samples{3, 5, 6}) == approx(1.0 - 2.0 / 20.0));
}

TEST_CASE("nothing speaks for an order where samples are equal, reversed or missing") {
  CHECK(confidence_smaller(samples{1, 2, 3}, samples{1, 2, 3}) == 0.5);
  CHECK(confidence_smaller(samples{4, 5, 6}, samples{1, 2, 3}) == 0.5);
  CHECK(confidence_smaller({}, samples{1}) == 0.5);
}

TEST_CASE("the normal approximation continues the exact distribution") {
  samples low;
  samples high;
  for (int i = 0; i < 8; ++i) {
    low.push_back(i);
    high.push_back(i + 2.5);
  }
  const double exact = confidence_smaller(low, high);
  low.push_back(8);
  high.push_back(8 + 2.5);
  const double approximate = confidence_smaller(low, high);
  CHECK(exact > 0.9);
  CHECK(std::fabs(exact - approximate) < 0.03);
}

TEST_CASE("the error rate is the stated one on samples of one distribution") {
  std::mt19937 random(7);
  std::lognormal_distribution<double> noise(0.0, 0.3);
  int wrong = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    samples a;
    samples b;
    for (int i = 0; i < 12; ++i) {
      a.push_back(noise(random));
      b.push_back(noise(random));
    }
    if (confidence_smaller(a, b) >= 0.95) ++wrong;
  }
  CHECK(wrong < trials * 0.065);
  CHECK(wrong > trials * 0.03);
}
