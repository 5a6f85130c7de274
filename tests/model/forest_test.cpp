#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <fettle/model/forest.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

namespace {

struct grove {
  std::vector<model_input> inputs;
  std::vector<std::uint32_t> roots;
  std::vector<tree_node> nodes;
  std::vector<double> costs;
  std::uint32_t classes = 0;

  [[nodiscard]] forest_view view() const {
    return {static_cast<std::uint32_t>(roots.size()),
            classes,
            static_cast<std::uint32_t>(inputs.size()),
            roots.data(),
            nodes.data(),
            costs.data()};
  }
};

template <typename Random>
std::uint32_t grow(grove& g, int depth, Random& random) {
  const auto own = static_cast<std::uint32_t>(g.nodes.size());
  g.nodes.emplace_back();
  tree_node node;
  if (depth == 0 || random() % 10 == 0) {
    node.leaf = true;
    node.left = static_cast<std::uint32_t>(g.costs.size() / g.classes);
    for (std::uint32_t c = 0; c < g.classes; ++c) {
      g.costs.push_back(static_cast<double>(random() % 4));  // many ties
      const double* row = &g.costs[node.left * g.classes];
      if (row[c] < row[node.right]) node.right = c;
    }
  } else {
    node.input = static_cast<std::uint16_t>(random() % g.inputs.size());
    const model_input& input = g.inputs[node.input];
    node.threshold = std::uniform_real_distribution<double>(input.low, input.high)(random);
    node.left = grow(g, depth - 1, random);
    node.right = grow(g, depth - 1, random);
  }
  g.nodes[own] = node;
  return own;
}

template <typename Random>
grove random_grove(std::size_t trees, int depth, std::uint32_t classes, Random& random) {
  grove g;
  g.classes = classes;
  g.inputs = {{transform::log, 0, 0, -2, 5},
              {transform::log_ratio, 1, 0, -3, 3},
              {transform::linear, 1, 0, 0.1, 50},
              {transform::ratio, 0, 2, 0.01, 90}};
  for (std::size_t t = 0; t < trees; ++t) g.roots.push_back(grow(g, depth, random));
  return g;
}

/// The definition: transform, walk, sum, first smallest.
std::vector<double> defined_costs(const grove& g, const double* t) {
  std::vector<double> sums(g.classes, 0.0);
  for (std::uint32_t at : g.roots) {
    while (!g.nodes[at].leaf) {
      at = t[g.nodes[at].input] <= g.nodes[at].threshold ? g.nodes[at].left : g.nodes[at].right;
    }
    for (std::uint32_t c = 0; c < g.classes; ++c)
      sums[c] += g.costs[g.nodes[at].left * g.classes + c];
  }
  return sums;
}

void check_against_definition(const grove& g, const std::vector<std::vector<double>>& features) {
  const input_stage exact(g.inputs, 0.5);
  const auto block = detail::make_forest_block(g.inputs, 0.5, g.view(), g.nodes);
  CHECK(reinterpret_cast<std::uintptr_t>(block.get()) % 64 == 0);
  const detail::leaf_masks none;
  const detail::leaf_masks masks(g.view(), g.nodes, g.inputs);
  if (g.roots.size() < 4 || g.nodes.size() < 10000) CHECK(masks.empty() == (g.roots.size() < 4));
  int wrong = 0;
  int fast = 0;
  int by_masks = 0;
  for (const auto& f : features) {
    double t[maximum_inputs];
    exact.transformed(f.data(), t);
    const std::vector<double> costs = defined_costs(g, t);
    const auto best =
        static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    std::vector<double> scores(g.classes);
    wrong += forest_choice(g.view(), *block, t, scores) != best ||
             forest_choice(g.view(), *block, t, {}) != best;
    for (std::uint32_t c = 0; c < g.classes; ++c) wrong += scores[c] != -costs[c];
    if (block->is_small) {
      float r[maximum_inputs];
      if (!surely_inside(block->counts, block->inputs(), f.data(), r)) continue;
      ++fast;
      wrong += small_tree_choice(g.view(), *block, r, exact, f.data()) != best;
    } else {
      double r[maximum_inputs];
      if (!surely_inside(block->counts, block->inputs(), f.data(), r)) continue;
      ++fast;
      for (const detail::leaf_masks* const used : {&none, &masks}) {
        wrong += forest_choice(g.view(), *used, *block, r, exact, f.data(), scores) != best ||
                 forest_choice(g.view(), *used, *block, r, exact, f.data(), {}) != best;
        for (std::uint32_t c = 0; c < g.classes; ++c) wrong += scores[c] != -costs[c];
      }
      std::vector<double> sums(g.classes + 1);
      by_masks += !masks.empty() && masks.sum_costs(r, sums.data());
    }
  }
  CHECK(wrong == 0);
  CHECK(fast > 0);
  CHECK((by_masks > 0) == !masks.empty());
}

}  // namespace

TEST_CASE("trees choose as the format defines it") {
  std::mt19937_64 random(1);
  for (const std::size_t trees : {1U, 1U, 2U, 25U}) {
    for (const int depth : {1, 2, 6, 8, 12}) {  // of masks of one word, several, too many
      const grove g =
          random_grove(trees, depth, 2 + static_cast<std::uint32_t>(random() % 6), random);
      std::vector<std::vector<double>> features;
      std::uniform_real_distribution<double> exponent(-2, 3.5);
      for (int i = 0; i < 1000; ++i) {
        features.push_back(
            {std::exp(exponent(random)), std::exp(exponent(random)), std::exp(exponent(random))});
      }
      check_against_definition(g, features);
    }
  }
}

TEST_CASE("at a threshold, and a bit beside it, the answer is that of the logarithm") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const grove g = random_grove(trial % 2 == 0 ? 1 : 9, 3, 3, random);
    std::vector<std::vector<double>> features;
    for (const tree_node& node : g.nodes) {
      if (node.leaf) continue;
      const model_input& input = g.inputs[node.input];
      std::vector<double> f{1.5, 1.5, 1.5};
      const double value =
          detail::is_logarithmic(input.kind) ? std::exp(node.threshold) : node.threshold;
      f[input.feature] = has_divisor(input.kind) ? value * f[input.divisor] : value;
      double around = std::nextafter(std::nextafter(f[input.feature], 0), 0);
      for (int step = 0; step < 5; ++step) {
        f[input.feature] = around;
        features.push_back(f);
        around = std::nextafter(around, 1e300);
      }
    }
    features.push_back({1.5, 1.5, 1.5});
    check_against_definition(g, features);
  }
}

TEST_CASE("thresholds closer together than single precision can tell") {
  grove g;
  g.classes = 8;
  g.inputs = {{transform::linear, 0, 0, 3e9, 4e9}};
  g.roots = {0};
  // A chain of splits at 3e9 + 0.5, + 1.5, ...: an input past the k-th is of class k + 1.
  for (std::uint32_t k = 0; k + 1 < g.classes; ++k) {
    g.nodes.push_back({3e9 + k + 0.5, 2 * k + 1, 2 * k + 2, 0, false});
    g.nodes.push_back({0, k, k, 0, true});
  }
  g.nodes.push_back({0, g.classes - 1, g.classes - 1, 0, true});
  for (std::uint32_t leaf = 0; leaf < g.classes; ++leaf) {
    for (std::uint32_t c = 0; c < g.classes; ++c) g.costs.push_back(leaf == c ? 0 : 1);
  }
  std::vector<std::vector<double>> features;
  for (int i = 0; i < 12; ++i) features.push_back({3e9 + i});
  check_against_definition(g, features);
}

TEST_CASE("a single tree with more nodes than a small one has") {
  std::mt19937_64 random(3);
  grove g;
  do {
    g = random_grove(1, 19, 3, random);
  } while (g.nodes.size() < 0x10000);
  CHECK_FALSE(detail::make_forest_block(g.inputs, 0.5, g.view(), g.nodes)->is_small);
  std::vector<std::vector<double>> features;
  std::uniform_real_distribution<double> exponent(-1, 3);
  for (int i = 0; i < 300; ++i) {
    features.push_back(
        {std::exp(exponent(random)), std::exp(exponent(random)), std::exp(exponent(random))});
  }
  check_against_definition(g, features);
}

TEST_CASE("one leaf: one variant always wins") {
  grove g;
  g.classes = 3;
  g.roots = {0};
  g.nodes = {{0, 0, 1, 0, true}};
  g.costs = {2, 1, 1};
  const auto block = detail::make_forest_block(g.inputs, 0.5, g.view(), g.nodes);
  CHECK(block->lines == 1);
  CHECK(forest_choice(g.view(), *block, nullptr, {}) == 1);
  CHECK(small_tree_choice(g.view(), *block, nullptr, input_stage{}, nullptr) == 1);
}
