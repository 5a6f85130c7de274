#include <fettle/model/svm.hpp>

#include "support/catch.hpp"

#if __has_include(<libsvm/svm.h>)

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/machine.hpp"

using namespace fettle::model;
using fettle_test::flat_machine;
using fettle_test::libsvm_machine;
using fettle_test::machine;
using fettle_test::machine_shape;
using fettle_test::random_machine;

namespace {

/// The fast tables for each width that this processor has, and the careful way alone (0).
struct prepared {
  explicit prepared(const svm_view& svm, std::size_t lanes)
      : storage(detail::lane_storage(svm.classes, svm.vectors, svm.inputs)),
        tables(detail::build_lane_tables(svm, lanes, storage)) {}
  std::vector<double> storage;
  detail::lane_tables tables;
};

std::vector<std::size_t> widths() {
  std::vector<std::size_t> all{0};
  for (std::size_t lanes = 2; lanes <= detail::best_lanes(); lanes *= 2) all.push_back(lanes);
  return all;
}

std::vector<double> random_input(std::size_t n, double reach, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-reach, reach);
  std::vector<double> x(n);
  for (double& value : x) value = unit(random);
  return x;
}

/// As the predictor does it.
std::size_t svm_choice(const svm_view& svm, const detail::lane_tables& tables, const double* x,
                       std::span<double> scores) {
  const auto quick = svm_quick_choice(svm, tables, x, scores);
  return quick ? *quick : svm_careful_choice(svm, x, scores);
}

/// Fettle and libsvm agree on `x`, by every way of evaluating, and so do the scores.
void check_parity(const machine& m, const std::vector<std::vector<double>>& inputs) {
  const flat_machine flat(m);
  const libsvm_machine reference(m);
  const std::size_t variants = *std::max_element(m.labels.begin(), m.labels.end()) + 2U;
  std::vector<std::size_t> expected;
  for (const auto& x : inputs) expected.push_back(reference.predict(x.data()));
  for (const std::size_t lanes : widths()) {
    const prepared p(flat.view, lanes);
    std::size_t different = 0;
    std::size_t misranked = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::vector<double> scores(variants, 1e300);
      different += svm_choice(flat.view, p.tables, inputs[i].data(), {}) != expected[i];
      different += svm_choice(flat.view, p.tables, inputs[i].data(), scores) != expected[i];
      const auto best = std::max_element(scores.begin(), scores.end());
      misranked += static_cast<std::size_t>(best - scores.begin()) != expected[i];
      misranked += std::count(scores.begin(), scores.end(), *best) != 1;
      misranked += scores[variants - 1] != -fettle::model::never_chosen;  // it has no label
    }
    INFO("lanes " << lanes << ", classes " << m.classes() << ", vectors " << m.vectors.size());
    CHECK(different == 0);
    CHECK(misranked == 0);
  }
}

}  // namespace

TEST_CASE("the choice is svm_predict's on 10,000 random inputs of each of several machines") {
  std::mt19937_64 random(20261121);
  const machine_shape shapes[] = {
      {.classes = 6, .vectors = 50, .inputs = 5},
      {.classes = 6, .vectors = 120, .inputs = 6, .gamma = 8, .largest_coefficient = 1000},
      {.classes = 4, .vectors = 44, .inputs = 6, .gamma = 0.01, .largest_coefficient = 0.1},
      {.classes = 2, .vectors = 2, .inputs = 1},
      {.classes = 2, .vectors = 33, .inputs = 3, .gamma = 64},
      {.classes = 3, .vectors = 207, .inputs = 2, .zeros = 0.9},
      {.classes = 5, .vectors = 5, .inputs = 4},
      {.classes = 8, .vectors = 73, .inputs = 9},
      {.classes = 9, .vectors = 80, .inputs = 5},
      {.classes = 16, .vectors = 90, .inputs = 7},
      {.classes = 17, .vectors = 60, .inputs = 5},
  };
  for (const machine_shape& shape : shapes) {
    const machine m = random_machine(shape, random);
    std::vector<std::vector<double>> inputs;
    for (int i = 0; i < 10000; ++i) {
      inputs.push_back(random_input(shape.inputs, i % 10 == 0 ? 8 : 1.5, random));
    }
    check_parity(m, inputs);
  }
}

TEST_CASE("more classes and support vectors than the fast way takes") {
  std::mt19937_64 random(2);
  for (const machine_shape& shape :
       {machine_shape{.classes = 70, .vectors = 150, .inputs = 3},
        machine_shape{.classes = 33, .vectors = 66, .inputs = 2},
        machine_shape{.classes = 3, .vectors = 2100, .inputs = 3, .gamma = 4}}) {
    const machine m = random_machine(shape, random);
    std::vector<std::vector<double>> inputs;
    for (int i = 0; i < 300; ++i) inputs.push_back(random_input(shape.inputs, 1.5, random));
    check_parity(m, inputs);
  }
}

TEST_CASE("ties: every decision value is zero, and the last class of each pair wins its vote") {
  std::mt19937_64 random(3);
  machine m = random_machine({.classes = 5, .vectors = 20, .inputs = 3}, random);
  for (auto& row : m.coefficients) std::fill(row.begin(), row.end(), 0.0);
  std::fill(m.rho.begin(), m.rho.end(), 0.0);
  std::vector<std::vector<double>> inputs;
  for (int i = 0; i < 100; ++i) inputs.push_back(random_input(3, 1, random));
  check_parity(m, inputs);
}

TEST_CASE("circular votes go to the class that the file lists first") {
  // Three classes, each beating the next: one vote each.
  machine m;
  m.inputs = 1;
  m.labels = {2, 0, 1};
  m.class_begin = {0, 1, 2, 3};
  m.vectors = {{0.0}, {0.5}, {1.0}};
  m.coefficients = {{1, -1}, {-1, 1}, {1, -1}};
  m.rho = {-10, 10, -10};
  const flat_machine flat(m);
  const double x = 0.25;
  CHECK(svm_choice(flat.view, {}, &x, {}) == 2);
  check_parity(m, {{0.25}, {0.0}, {7.0}});
}

TEST_CASE("duplicate support vectors, of equal and of opposite coefficients") {
  std::mt19937_64 random(4);
  machine m = random_machine({.classes = 4, .vectors = 48, .inputs = 4, .zeros = 0}, random);
  for (std::size_t k = 1; k < m.vectors.size(); k += 2) {
    m.vectors[k] = m.vectors[k - 1];
    if (k % 4 == 1) {
      for (std::size_t r = 0; r < 3; ++r) m.coefficients[k][r] = -m.coefficients[k - 1][r];
    }
  }
  std::vector<std::vector<double>> inputs = m.vectors;  // the support vectors themselves, too
  for (int i = 0; i < 5000; ++i) inputs.push_back(random_input(4, 1.2, random));
  check_parity(m, inputs);
}

TEST_CASE("inputs at a decision boundary, to the last bit") {
  std::mt19937_64 random(5);
  for (const double c : {1.0, 100.0, 1e5}) {
    const machine m = random_machine(
        {.classes = 4, .vectors = 60, .inputs = 3, .gamma = 2, .largest_coefficient = c}, random);
    const libsvm_machine reference(m);
    std::vector<std::vector<double>> inputs;
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> a = random_input(3, 1, random);
      std::vector<double> b = random_input(3, 1, random);
      const std::size_t choice = reference.predict(a.data());
      if (choice == reference.predict(b.data())) continue;
      for (int step = 0; step < 70; ++step) {  // halve the way until it is one bit long
        std::vector<double> middle(3);
        for (std::size_t i = 0; i < 3; ++i) middle[i] = a[i] + (b[i] - a[i]) / 2;
        inputs.push_back(middle);
        (reference.predict(middle.data()) == choice ? a : b) = middle;
      }
      inputs.push_back(a);
      inputs.push_back(b);
      for (std::size_t i = 0; i < 3; ++i) {
        std::vector<double> beside = a;
        beside[i] = std::nextafter(beside[i], 10);
        inputs.push_back(beside);
      }
    }
    REQUIRE(inputs.size() > 1000);
    check_parity(m, inputs);
  }
}

TEST_CASE("the bounds hold: the fast decision values are that near to libsvm's") {
  std::mt19937_64 random(6);
  for (const machine_shape& shape :
       {machine_shape{.classes = 6, .vectors = 120, .inputs = 6, .gamma = 0.1},
        machine_shape{.classes = 5, .vectors = 60, .inputs = 20, .gamma = 0.3},
        machine_shape{.classes = 2, .vectors = 300, .inputs = 2, .largest_coefficient = 1e6}}) {
    const machine m = random_machine(shape, random);
    const flat_machine flat(m);
    const libsvm_machine reference(m);
    for (const std::size_t lanes : widths()) {
      if (lanes == 0) continue;
      const prepared p(flat.view, lanes);
      REQUIRE(p.tables.lanes == lanes);
      double worst = 0;
      for (int i = 0; i < 2000; ++i) {
        const std::vector<double> x = random_input(shape.inputs, i % 2 == 0 ? 1 : 3, random);
        double square = 0;
        for (const double value : x) square += value * value;
        if (square > p.tables.largest_square) continue;
        double fast[detail::lane_pairs + detail::widest_lanes];
        std::uint64_t votes = 0;
        detail::evaluate_in_lanes(flat.view, p.tables, x.data(), square, fast, votes);
        std::vector<double> slow;
        static_cast<void>(reference.predict(x.data(), &slow));
        for (std::size_t pair = 0; pair < slow.size(); ++pair) {
          worst = std::max(worst, std::fabs(fast[pair] - slow[pair]) / p.tables.bounds[pair]);
        }
      }
      INFO("lanes " << lanes << ": the worst error is " << worst << " of its bound");
      CHECK(worst < 0.5);  // the bound is doubled to be safe
      CHECK(worst > 1e-6);
    }
  }
}

TEST_CASE("random inputs need the careful way next to never") {
  std::mt19937_64 random(7);
  const machine m = random_machine(
      {.classes = 6, .vectors = 120, .inputs = 6, .largest_coefficient = 1000}, random);
  const flat_machine flat(m);
  for (const std::size_t lanes : widths()) {
    if (lanes == 0) continue;
    const prepared p(flat.view, lanes);
    int uncertain = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::vector<double> x = random_input(6, 1, random);
      double square = 0;
      for (const double value : x) square += value * value;
      double fast[detail::lane_pairs + detail::widest_lanes];
      std::uint64_t votes = 0;
      uncertain += !detail::evaluate_in_lanes(flat.view, p.tables, x.data(), square, fast, votes);
    }
    INFO("lanes " << lanes);
    CHECK(uncertain < 20);
  }
}

TEST_CASE("numbers too large for the bounds are left to the careful way") {
  std::mt19937_64 random(8);
  machine m = random_machine({.classes = 3, .vectors = 9, .inputs = 2}, random);
  for (const double factor : {1e150, 1e308}) {
    machine huge = m;
    huge.vectors[4][0] = factor;
    const flat_machine flat(huge);
    CHECK(prepared(flat.view, 2).tables.lanes == 0);
    check_parity(huge, {{0.1, 0.2}, {factor, 0}, {-factor, 1}});
  }
  machine steep = m;
  steep.gamma = 1e12;
  check_parity(steep, {{0.1, 0.2}, steep.vectors[0], steep.vectors[8]});
  machine heavy = m;
  heavy.coefficients[0][0] = 1e300;
  CHECK(prepared(flat_machine(heavy).view, 2).tables.lanes == 0);
  check_parity(heavy, {{0.1, 0.2}, heavy.vectors[0], heavy.vectors[8]});
}

TEST_CASE("a class without support vectors") {
  std::mt19937_64 random(9);
  machine m = random_machine({.classes = 4, .vectors = 30, .inputs = 3}, random);
  m.class_begin = {0, 12, 12, 12, 30};
  std::vector<std::vector<double>> inputs;
  for (int i = 0; i < 2000; ++i) inputs.push_back(random_input(3, 1.5, random));
  check_parity(m, inputs);
}

#else
#include "support/skip.hpp"

TEST_CASE("skipped: svm") { test::skip_program("needs libsvm to compare with"); }
#endif
