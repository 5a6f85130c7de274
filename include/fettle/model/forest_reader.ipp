// Definitions of forest_reader.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/forest_reader.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE forest_view forest_content::view() const noexcept {
  return {static_cast<std::uint32_t>(roots.size()),
          classes,
          inputs,
          roots.data(),
          nodes.data(),
          costs.data()};
}

[[gnu::cold]] FETTLE_INLINE void read_tree(line_reader& lines, std::uint32_t size,
                                           forest_content& forest) {
  const auto root = static_cast<std::uint32_t>(forest.nodes.size());
  std::vector<bool> has_parent;
  const auto child = [&](std::uint32_t own, const char* which) {
    const auto number = lines.number<std::uint32_t>(which, own + 1, size - 1);
    if (has_parent.size() <= number) has_parent.resize(number + 1);
    if (has_parent[number]) lines.fail("node " + number_text(number) + " has two parents");
    has_parent[number] = true;
    return root + number;
  };
  for (std::uint32_t own = 0; own < size; ++own) {
    lines.require_line("a node");
    if (own > 0 && (own >= has_parent.size() || !has_parent[own])) {
      lines.fail("node " + number_text(own) + " is not a node's child");
    }
    tree_node node;
    const std::string_view kind = lines.word("a node");
    if (kind == "split") {
      if (own + 1 >= size) lines.fail("the last node must be a leaf");
      if (forest.inputs == 0) lines.fail("there is no input to split by");
      node.input =
          lines.number<std::uint16_t>("an input", 0, static_cast<std::uint16_t>(forest.inputs - 1));
      node.threshold = lines.finite("a threshold");
      node.left = child(own, "the left child");
      node.right = child(own, "the right child");
    } else if (kind == "leaf") {
      node.leaf = true;
      node.left = static_cast<std::uint32_t>(forest.costs.size() / forest.classes);
      double smallest = std::numeric_limits<double>::infinity();
      for (std::uint32_t c = 0; c < forest.classes; ++c) {
        const double cost = lines.finite("a cost");
        if (cost < smallest) {
          smallest = cost;
          node.right = c;
        }
        forest.costs.push_back(cost);
      }
    } else {
      lines.fail(detail::quoted(kind) + " is neither split nor leaf");
    }
    lines.end_line();
    forest.nodes.push_back(node);
  }
}

[[gnu::cold]] FETTLE_INLINE forest_content read_forest(const std::string& file,
                                                       std::string_view text, std::size_t inputs,
                                                       std::size_t classes,
                                                       std::size_t most_trees) {
  line_reader lines(file, text);
  const auto expect = [&](std::string_view wanted) {
    const std::string_view found = lines.word("a key");
    if (found != wanted)
      lines.fail(detail::quoted(found) + " where '" + std::string(wanted) + "' should be");
  };
  lines.require_line("'fettle-trees'");
  expect("fettle-trees");
  const auto version = lines.number<std::uint32_t>("the version", 0, 1000000);
  if (version != 1) {
    lines.fail("the trees are of version " + number_text(version) +
               ", this program reads version 1");
  }
  lines.end_line();
  lines.require_line("'trees'");
  expect("trees");
  const auto trees = lines.number<std::size_t>("the number of trees", 1, most_trees);
  expect("classes");
  forest_content forest;
  forest.classes = lines.number<std::uint32_t>("the number of classes", 1, maximum_classes);
  expect("inputs");
  forest.inputs = lines.number<std::uint32_t>("the number of inputs", 0, maximum_inputs);
  if (forest.classes != classes || forest.inputs != inputs) {
    lines.fail("the trees are for " + number_text(forest.classes) + " classes and " +
               number_text(forest.inputs) + " inputs, the model has " + number_text(classes) +
               " variants and " + number_text(inputs) + " inputs");
  }
  lines.end_line();
  for (std::size_t tree = 0; tree < trees; ++tree) {
    lines.require_line("'tree'");
    expect("tree");
    const auto size = lines.number<std::uint32_t>("the number of nodes", 1, maximum_nodes);
    if (forest.nodes.size() + size > maximum_nodes) lines.fail("there are too many nodes");
    lines.end_line();
    forest.roots.push_back(static_cast<std::uint32_t>(forest.nodes.size()));
    read_tree(lines, size, forest);
  }
  lines.end_file();
  return forest;
}

}  // namespace fettle::model::detail
