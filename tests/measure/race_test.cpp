#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <fettle/measure/race.hpp>
#include <fettle/measure/warm_up.hpp>

#include "support/catch.hpp"

using fettle::race;
using fettle::race_options;
using fettle::race_outcome;

namespace {

struct result {
  std::map<std::size_t, std::size_t> runs;
  std::size_t best;
  race_outcome outcome;
};

/// Runs variants whose times are `seconds`, with `noise` as relative deviation.
result run(race& contest, const std::vector<double>& seconds, double noise = 0.0) {
  std::mt19937 random(11);
  std::normal_distribution<double> deviation(0.0, 1.0);
  result seen{{}, 0, race_outcome::running};
  for (auto k = contest.next(); k; k = contest.next()) {
    const double sample = seconds[*k] * (1.0 + noise * std::fabs(deviation(random)));
    contest.tell(*k, std::vector<double>{sample}, std::isfinite(sample) ? sample : 1e-3);
    ++seen.runs[*k];
  }
  seen.best = contest.best().value_or(999);
  seen.outcome = contest.outcome();
  return seen;
}

}  // namespace

TEST_CASE("a clear winner settles the race with the minimum of samples") {
  race contest(3);
  const result seen = run(contest, {1e-3, 2e-3, 3e-3});
  CHECK(seen.best == 0);
  CHECK(seen.outcome == race_outcome::settled);
  CHECK(seen.runs.at(0) == 3);
  CHECK(seen.runs.at(1) == 3);
}

TEST_CASE("a hopeless variant runs once") {
  race contest(3);
  const result seen = run(contest, {1e-3, 2e-3, 9e-3});
  CHECK(seen.runs.at(2) == 1);
  CHECK(seen.runs.at(1) == 3);
}

TEST_CASE("a hopeless first variant leaves when a better one is known") {
  race contest(2);
  const result seen = run(contest, {9e-3, 1e-3});
  CHECK(seen.best == 1);
  CHECK(seen.runs.at(0) <= 3);
}

TEST_CASE("near ties get more samples, and the order of equals does not matter") {
  race contest(2);
  const result equal = run(contest, {1e-3, 1e-3});
  CHECK(equal.outcome == race_outcome::settled);
  CHECK(equal.runs.at(0) == 6);

  race_options stern;
  stern.indifference = 0.0;
  race close(2, stern);
  std::size_t runs = 0;
  for (auto k = close.next(); k; k = close.next(), ++runs) {
    const double swing = (runs / 2) % 2 == 0 ? 0.9e-3 : 1.1e-3;  // of both alike
    close.tell(*k, std::vector<double>{swing + (*k == 0 ? 0.0 : 0.05e-3)}, 1e-3);
  }
  CHECK(runs > 6);
  CHECK(close.best() == 0);
}

TEST_CASE("no contender always follows the same rival") {
  constexpr std::size_t variants = 7;
  race_options thorough;
  thorough.racing = false;
  thorough.maximum_samples = 12;
  race contest(variants, thorough);
  std::vector<std::size_t> order;
  for (auto k = contest.next(); k; k = contest.next()) {
    contest.tell(*k, std::vector<double>{1e-3}, 1e-3);
    order.push_back(*k);
  }
  REQUIRE(order.size() == variants * thorough.maximum_samples);
  std::set<std::size_t> before_the_first;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place < variants) CHECK(order[place] == place);
    if (place > 0 && order[place] == 0) before_the_first.insert(order[place - 1]);
    if (place % variants != 0) continue;
    const auto round = order.begin() + static_cast<std::ptrdiff_t>(place);
    const std::set<std::size_t> ran(round, round + static_cast<std::ptrdiff_t>(variants));
    CHECK(ran.size() == variants);
  }
  CHECK(before_the_first.size() >= 4);
}

TEST_CASE("the budget ends a race, but every variant has run once") {
  race_options tight;
  tight.budget_s = 2.5;
  tight.indifference = 0.0;
  race contest(4, tight);
  const result seen = run(contest, {1.0, 1.1, 1.2, 1.3}, 0.01);
  CHECK(seen.outcome == race_outcome::budget);
  for (std::size_t k = 0; k < 4; ++k) CHECK(seen.runs.at(k) == 1);
}

TEST_CASE("without racing every variant gets all its samples") {
  race_options exhaustive;
  exhaustive.racing = false;
  exhaustive.maximum_samples = 7;
  exhaustive.budget_s = 1e9;
  race contest(3, exhaustive);
  const result seen = run(contest, {1e-3, 1e-1, 10.0});
  for (std::size_t k = 0; k < 3; ++k) CHECK(seen.runs.at(k) == 7);
  race alone(1, exhaustive);
  CHECK(run(alone, {1e-3}).runs.at(0) == 7);
}

TEST_CASE("one variant, none, or all out") {
  race alone(1);
  CHECK(run(alone, {1.0}).outcome != race_outcome::running);
  race empty(0);
  CHECK_FALSE(empty.next());
  CHECK_FALSE(empty.best());
  race everyone_out(2, {}, std::vector<std::size_t>{0, 1});
  CHECK_FALSE(everyone_out.next());
  CHECK(everyone_out.outcome() == race_outcome::single);
}

TEST_CASE("a disqualified variant neither runs nor wins") {
  race contest(3);
  result seen{{}, 0, race_outcome::running};
  for (auto k = contest.next(); k; k = contest.next()) {
    ++seen.runs[*k];
    if (*k == 0) {
      contest.disqualify(0);
      continue;
    }
    contest.tell(*k, std::vector<double>{1e-3 * static_cast<double>(*k)}, 1e-3);
  }
  CHECK(seen.runs.at(0) == 1);
  CHECK(contest.best() == 1);
}

TEST_CASE("an infinite sample ends a variant's race, also where none is finite") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  race contest(3);
  const result seen = run(contest, {infinity, 1e-3, 1.001e-3});
  CHECK(seen.runs.at(0) == 1);
  CHECK(seen.runs.at(1) > 1);
  CHECK(contest.best() == 1);
  race none(2);
  CHECK(run(none, {infinity, infinity}).runs == std::map<std::size_t, std::size_t>{{0, 1}, {1, 1}});
}

TEST_CASE("earlier measurements set the bar for hopelessness") {
  race contest(2, {}, std::vector<std::size_t>{0}, 1e-3);
  const result seen = run(contest, {0.0, 8e-3});
  CHECK(seen.runs.count(0) == 0);
  CHECK(seen.runs.at(1) == 1);
}

TEST_CASE("the race is right far more often than its confidence under noise") {
  std::mt19937 random(5);
  int right = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    race contest(4);
    std::normal_distribution<double> deviation(0.0, 0.05);
    const std::vector<double> seconds{1.2e-3, 1.0e-3, 1.15e-3, 2e-3};
    for (auto k = contest.next(); k; k = contest.next()) {
      const double sample = seconds[*k] * (1.0 + std::fabs(deviation(random)));
      contest.tell(*k, std::vector<double>{sample}, sample);
    }
    if (contest.best() == 1) ++right;
  }
  CHECK(right > trials * 0.97);
}

namespace {

/// How many runs of a variant are warm-up; after `seconds` a run takes as long as the last of them.
std::size_t warm_up_runs(const std::vector<double>& seconds, fettle::warm_up_options options = {}) {
  fettle::warm_up runs(options);
  std::size_t count = 0;
  do {
    runs.tell(seconds[std::min(count, seconds.size() - 1)]);
    ++count;
  } while (runs.wants_more());
  return count;
}

}  // namespace

TEST_CASE("a warm-up ends when runs get no faster, or have taken long enough") {
  CHECK(warm_up_runs({18.0e-6, 15.6e-6, 11.5e-6, 9.6e-6, 9.5e-6, 7.9e-6}) == 8);
  CHECK(warm_up_runs({1e-6}) == 3);
  CHECK(warm_up_runs({1e-6, 3e-6, 2e-6}) == 3);  // slower than the fastest is steady
  CHECK(warm_up_runs({1e-6}, {.minimum_runs = 7}) == 7);
  CHECK(warm_up_runs({9e-3, 4e-3}) == 2);
  CHECK(warm_up_runs({1.0, 0.5}) == 1);
  CHECK(warm_up_runs({1.0, 0.5}, {.minimum_runs = 2}) == 2);
  CHECK(warm_up_runs({8e-9, 4e-9, 2e-9, 1e-9}, {.maximum_runs = 3}) == 3);
}
