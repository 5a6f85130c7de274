// Definitions of specialised_text.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/specialised_text.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The number of each input among those that stay.
[[gnu::cold]] FETTLE_INLINE std::vector<std::size_t> numbers_of_rest(const fixed_inputs& fixed) {
  std::vector<std::size_t> numbers;
  std::size_t next = 0;
  for (const std::optional<double>& one : fixed) numbers.push_back(one ? next : next++);
  return numbers;
}

/// A node of a tree as its line says it; a leaf keeps the text of its costs.
struct text_node {
  std::size_t input = 0;
  double threshold = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::string costs;
  std::uint32_t number = 0;  // in the new tree
};

[[gnu::cold]] FETTLE_INLINE text_node read_text_node(line_reader& lines, const fixed_inputs& fixed,
                                                     std::uint32_t own, std::uint32_t size) {
  lines.require_line("a node");
  text_node node;
  if (lines.word("a node") == "split") {
    node.input = lines.number<std::size_t>("an input", 0, fixed.size() - 1);
    node.threshold = lines.finite("a threshold");
    node.left = lines.number<std::uint32_t>("the left child", own + 1, size - 1);
    node.right = lines.number<std::uint32_t>("the right child", own + 1, size - 1);
  } else {
    while (!lines.line_done()) node.costs += " " + std::string(lines.word("a cost"));
  }
  return node;
}

/// The tree from `nodes`, its nodes in preorder.
[[gnu::cold]] FETTLE_INLINE std::string written_tree(std::vector<text_node>& nodes,
                                                     const fixed_inputs& fixed) {
  const std::vector<std::size_t> numbers = numbers_of_rest(fixed);
  const auto reached = [&](std::uint32_t at) {  // behind splits whose side is known
    while (nodes[at].costs.empty() && fixed[nodes[at].input]) {
      at = *fixed[nodes[at].input] <= nodes[at].threshold ? nodes[at].left : nodes[at].right;
    }
    return at;
  };
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> ahead{reached(0)};
  while (!ahead.empty()) {
    const std::uint32_t at = ahead.back();
    ahead.pop_back();
    nodes[at].number = static_cast<std::uint32_t>(order.size());
    order.push_back(at);
    if (!nodes[at].costs.empty()) continue;
    ahead.push_back(reached(nodes[at].right));
    ahead.push_back(reached(nodes[at].left));
  }
  std::string out = "tree " + number_text(order.size()) + "\n";
  for (const std::uint32_t at : order) {
    const text_node& node = nodes[at];
    if (!node.costs.empty()) {
      out += "leaf" + node.costs + "\n";
      continue;
    }
    out += "split " + number_text(numbers[node.input]) + " " + number_text(node.threshold) + " " +
           number_text(nodes[reached(node.left)].number) + " " +
           number_text(nodes[reached(node.right)].number) + "\n";
  }
  return out;
}

[[gnu::cold]] FETTLE_INLINE std::string specialised_trees(const std::string& file,
                                                          std::string_view text,
                                                          const fixed_inputs& fixed) {
  line_reader lines(file, text);
  lines.require_line("'fettle-trees'");
  lines.require_line("'trees'");
  lines.word("a key");
  const auto trees = lines.number<std::size_t>("the number of trees", 1, maximum_nodes);
  lines.word("a key");
  const auto classes = lines.number<std::size_t>("the number of classes", 1, maximum_classes);
  std::size_t rest = 0;
  for (const std::optional<double>& one : fixed) rest += one ? 0U : 1U;
  std::string out = "fettle-trees 1\ntrees " + number_text(trees) + " classes " +
                    number_text(classes) + " inputs " + number_text(rest) + "\n";
  for (std::size_t tree = 0; tree < trees; ++tree) {
    lines.require_line("'tree'");
    lines.word("a key");
    const auto size = lines.number<std::uint32_t>("the number of nodes", 1, maximum_nodes);
    std::vector<text_node> nodes;
    for (std::uint32_t own = 0; own < size; ++own) {
      nodes.push_back(read_text_node(lines, fixed, own, size));
    }
    out += written_tree(nodes, fixed);
  }
  return out;
}

/// A support vector's line "c1 c2 1:x 3:y" without the fixed inputs.
[[gnu::cold]] FETTLE_INLINE std::string specialised_vector(line_reader& lines, double gamma,
                                                           const fixed_inputs& fixed,
                                                           const std::vector<double>& scaled) {
  std::vector<double> coefficients;
  std::vector<double> values(fixed.size(), 0.0);
  while (!lines.line_done()) {
    const std::string_view word = lines.word("a coefficient");
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
      coefficients.push_back(lines.finite_in(word, "a coefficient"));
      continue;
    }
    const auto index =
        lines.number_in<std::size_t>(word.substr(0, colon), "an index", 1, fixed.size());
    values[index - 1] = lines.finite_in(word.substr(colon + 1), "a value");
  }
  double distance = 0;
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i]) distance += (values[i] - scaled[i]) * (values[i] - scaled[i]);
  }
  const double factor = std::exp(-gamma * distance);
  std::string out;
  for (const double coefficient : coefficients) out += number_text(coefficient * factor) + " ";
  const std::vector<std::size_t> numbers = numbers_of_rest(fixed);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (!fixed[i] && values[i] != 0) {
      out += number_text(numbers[i] + 1) + ":" + number_text(values[i]) + " ";
    }
  }
  return out + "\n";
}

[[gnu::cold]] FETTLE_INLINE std::string specialised_svm(const std::string& file,
                                                        std::string_view text,
                                                        const fixed_inputs& fixed,
                                                        const std::vector<model_input>& inputs) {
  std::vector<double> scaled(fixed.size(), 0.0);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const double range = inputs[i].high - inputs[i].low;
    if (fixed[i] && range > 0) scaled[i] = 2 * (*fixed[i] - inputs[i].low) / range - 1;
  }
  line_reader lines(file, text);
  std::string out;
  double gamma = 0;
  std::size_t total = 0;
  while (true) {
    lines.require_line("'SV'");
    const std::string key(lines.word("a key"));
    out += key;
    while (!lines.line_done()) {
      const std::string word(lines.word("a value"));
      out += " " + word;
      if (key == "gamma") {
        gamma = lines.number_in(word, "gamma", 0.0, std::numeric_limits<double>::max());
      }
      if (key == "total_sv") {
        total = lines.number_in<std::size_t>(word, "total_sv", 1, maximum_support_vectors);
      }
    }
    out += "\n";
    if (key == "SV") break;
  }
  for (std::size_t vector = 0; vector < total; ++vector) {
    lines.require_line("a support vector");
    out += specialised_vector(lines, gamma, fixed, scaled);
  }
  return out;
}

}  // namespace fettle::model::detail
