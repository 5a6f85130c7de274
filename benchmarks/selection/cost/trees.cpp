// Decision trees and forests, on the same input again and again (its branches are predicted) and on
// ever different ones.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fettle/model/model_directory.hpp>

#include "machine_files.hpp"
#include "suite.hpp"

namespace selection_cost {
namespace {

namespace model = fettle::model;

constexpr std::size_t inputs = 6;
constexpr std::size_t classes = 6;
constexpr std::size_t different_inputs = 1024;

/// Full trees of a depth, over log features, as they are read from a file.
class trees {
 public:
  trees(std::size_t count, int depth) : random_{count * 100 + static_cast<std::size_t>(depth)} {
    content_.classes = classes;
    content_.inputs = inputs;
    for (std::uint16_t i = 0; i < inputs; ++i) {
      descriptions_.push_back({model::transform::log, i, 0, log_low, log_high});
    }
    for (std::size_t t = 0; t < count; ++t) content_.roots.push_back(grow(depth));
  }

  [[nodiscard]] model::predictor predictor() const {
    const auto owned = std::make_shared<const model::detail::forest_content>(content_);
    return {model::forest_predictor(descriptions_, 0.25, owned->view(), owned->nodes, owned),
            classes};
  }

 private:
  std::uint32_t grow(int depth) {
    const auto own = static_cast<std::uint32_t>(content_.nodes.size());
    content_.nodes.emplace_back();
    model::tree_node node;
    if (depth == 0) {
      node.leaf = true;
      node.left = static_cast<std::uint32_t>(content_.costs.size() / classes);
      for (std::size_t c = 0; c < classes; ++c) content_.costs.push_back(random_.between(0, 2));
      const double* const row = &content_.costs[node.left * classes];
      node.right = static_cast<std::uint32_t>(std::min_element(row, row + classes) - row);
    } else {
      node.input = static_cast<std::uint16_t>(random_.between(0, inputs));
      node.threshold = random_.between(log_low, log_high);
      node.left = grow(depth - 1);
      node.right = grow(depth - 1);
    }
    content_.nodes[own] = node;
    return own;
  }

  dice random_;
  model::detail::forest_content content_;
  std::vector<model::model_input> descriptions_;
};

pass deciding(const model::predictor& predictor, std::size_t different) {
  dice random{different};
  std::vector<std::vector<double>> features(different);
  for (auto& values : features) {
    for (std::size_t f = 0; f < inputs; ++f) {
      values.push_back(std::exp(random.between(log_low, log_high)));
    }
  }
  return [predictor, features] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < different_inputs; ++i) {
      sum += predictor.decide(features[i % features.size()]).variant;
    }
    return sum;
  };
}

}  // namespace

void add_trees(suite& all) {
  for (const int depth : {2, 4, 6}) {
    const model::predictor one = trees(1, depth).predictor();
    all.begin("tree: depth " + std::to_string(depth) + ", 6 log features", different_inputs,
              "fettle: decide, the same input");
    all.add("fettle: decide, the same input", deciding(one, 1));
    all.add("fettle: decide, 16 inputs in turn", deciding(one, 16));
    all.add("fettle: decide, 1024 inputs in turn", deciding(one, 1024));
  }
  for (const int count : {10, 100}) {
    const model::predictor many = trees(static_cast<std::size_t>(count), 6).predictor();
    all.begin("forest: " + std::to_string(count) + " trees of depth 6, 6 log features",
              different_inputs, "fettle: decide, the same input");
    all.add("fettle: decide, the same input", deciding(many, 1));
    all.add("fettle: decide, 1024 inputs in turn", deciding(many, 1024));
  }
}

}  // namespace selection_cost
