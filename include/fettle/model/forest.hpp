// Decision trees as a predictor: the variant with the smallest expected cost, summed over the
// trees.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <fettle/model/forest_view.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/raw_stage.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::model {

namespace detail {

/// A node as the fast walks read it: the question is asked of f or f/g (raw_stage.hpp). A leaf has
/// input -1, and leads to itself.
struct split_node {
  double below = 0;
  double above = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::int32_t input = -1;
  std::uint32_t read = 0;  // the input that a walk reads, even at a leaf
};

/// Fills `out`, which has a place for every node. Returns how many splits the longest way has.
inline std::uint32_t build_split_nodes(std::span<const tree_node> nodes,
                                       std::span<const model_input> inputs,
                                       std::span<split_node> out) noexcept {
  constexpr double lowest = -std::numeric_limits<double>::max();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const tree_node& node = nodes[i];
    if (node.leaf) {
      out[i] = {lowest, lowest, i, i, -1, 0};  // whatever is read is above
    } else {
      const anchor a = anchor_of(node.threshold, is_logarithmic(inputs[node.input].kind));
      out[i] = {a.below, a.above, node.left, node.right, node.input, 0};
    }
  }
  // Children come after their parent: `read` is a node's depth until its own turn has come.
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t depth = out[i].read;
    out[i].read = nodes[i].leaf ? 0 : nodes[i].input;
    longest = depth > longest ? depth : longest;
    if (nodes[i].leaf) continue;
    out[nodes[i].left].read = depth + 1;
    out[nodes[i].right].read = depth + 1;
  }
  return longest;
}

/// The leaf that inputs inside the guard reach, asked in raw values. Walks by branches, which the
/// processor predicts; a walk by conditional moves would wait for every comparison.
[[nodiscard]] inline std::uint32_t walk_raw(const forest_view& forest, const split_node* nodes,
                                            std::uint32_t root, const double* raw,
                                            const input_stage& stage,
                                            const double* features) noexcept {
  std::uint32_t at = root;
  while (nodes[at].input >= 0) {
    const split_node& node = nodes[at];
    const auto input = static_cast<std::size_t>(node.input);
    const double value = raw[input];
    if (value > node.above) {
      at = node.right;
#ifdef __GNUC__
      asm("" : "+r"(at));  // a branch, please
#endif
    } else if (value < node.below) {
      at = node.left;
    } else {
      const bool left = stage.transformed_alone(input, features) <= forest.nodes[at].threshold;
      at = left ? node.left : node.right;
    }
  }
  return at;
}

/// The leaf that transformed inputs reach.
[[nodiscard]] inline std::uint32_t walk_transformed(const forest_view& forest, std::uint32_t root,
                                                    const double* t) noexcept {
  std::uint32_t at = root;
  while (!forest.nodes[at].leaf) {
    const tree_node& node = forest.nodes[at];
    at = t[node.input] <= node.threshold ? node.left : node.right;
  }
  return at;
}

/// `yes` or `no`, by arithmetic: a branch would be mispredicted half the time.
[[nodiscard]] constexpr std::uint32_t selected(bool condition, std::uint32_t yes,
                                               std::uint32_t no) noexcept {
  return no ^ ((yes ^ no) & (std::uint32_t{0} - static_cast<std::uint32_t>(condition)));
}

inline constexpr std::uint32_t side_by_side = 8;

/// The leaves of several trees at a time, level by level, so that none waits for another: forests
/// are too many branches for a processor to remember. `right_of(node, number)` says where a node
/// sends the input.
template <typename RightOf>
void walk_side_by_side(const split_node* nodes, std::uint32_t longest, std::uint32_t* at,
                       const RightOf& right_of) noexcept {
  for (std::uint32_t level = 0; level < longest; ++level) {
    std::uint32_t moved = 0;
    for (std::uint32_t k = 0; k < side_by_side; ++k) {
      const split_node& node = nodes[at[k]];
      const std::uint32_t next = selected(right_of(node, at[k]), node.right, node.left);
      moved |= next ^ at[k];
      at[k] = next;
    }
    if (moved == 0) break;
  }
}

/// The class whose costs, summed over the trees, are smallest (the first of equals).
/// `leaves_of(tree, count, leaves)` finds the leaves of the next `count` trees, at most
/// side_by_side.
template <typename LeavesOf>
[[nodiscard]] std::size_t cheapest(const forest_view& forest, const LeavesOf& leaves_of,
                                   std::span<double> scores) noexcept {
  double sums[maximum_classes];
  for (std::uint32_t c = 0; c < forest.classes; ++c) sums[c] = 0;
  std::uint32_t leaves[side_by_side];
  for (std::uint32_t tree = 0; tree < forest.trees; tree += side_by_side) {
    const std::uint32_t count =
        forest.trees - tree < side_by_side ? forest.trees - tree : side_by_side;
    leaves_of(tree, count, leaves);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::size_t leaf = forest.nodes[leaves[k]].left;
      const double* const costs = forest.costs + leaf * forest.classes;
      for (std::uint32_t c = 0; c < forest.classes; ++c) sums[c] = rounded(sums[c] + costs[c]);
    }
  }
  std::size_t best = 0;
  for (std::uint32_t c = 1; c < forest.classes; ++c) {
    if (sums[c] < sums[best]) best = c;
  }
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = -sums[c];
  return best;
}

}  // namespace detail

/// The class with the smallest summed cost (the first of equals) for inputs that raw_stage found
/// surely inside. `longest` is build_split_nodes()'s. `scores`, where not empty, receives minus the
/// sum of each class. Allocates nothing; about 1 ns a level of a single tree where the branches are
/// predicted.
[[nodiscard]] inline std::size_t forest_choice(const forest_view& forest,
                                               const detail::split_node* nodes,
                                               std::uint32_t longest, const double* raw,
                                               const input_stage& stage, const double* features,
                                               std::span<double> scores) noexcept {
  const auto leaf_of = [&](std::uint32_t tree) {
    return detail::walk_raw(forest, nodes, forest.roots[tree], raw, stage, features);
  };
  if (forest.trees == 1 && scores.empty()) return forest.nodes[leaf_of(0)].right;
  const auto leaves_of = [&](std::uint32_t tree, std::uint32_t count, std::uint32_t* leaves) {
    if (count == detail::side_by_side) {
      for (std::uint32_t k = 0; k < count; ++k) leaves[k] = forest.roots[tree + k];
      bool certain = true;
      detail::walk_side_by_side(nodes, longest, leaves,
                                [&](const detail::split_node& node, std::uint32_t) {
                                  const double value = raw[node.read];
                                  const bool above = value > node.above;
                                  certain &= above | (value < node.below);
                                  return above;
                                });
      if (certain) return;
    }
    for (std::uint32_t k = 0; k < count; ++k) leaves[k] = leaf_of(tree + k);
  };
  return detail::cheapest(forest, leaves_of, scores);
}

/// The same for transformed inputs, whatever they are.
[[nodiscard]] inline std::size_t forest_choice(const forest_view& forest,
                                               const detail::split_node* nodes,
                                               std::uint32_t longest, const double* transformed,
                                               std::span<double> scores) noexcept {
  const auto leaves_of = [&](std::uint32_t tree, std::uint32_t count, std::uint32_t* leaves) {
    if (count < detail::side_by_side) {
      for (std::uint32_t k = 0; k < count; ++k) {
        leaves[k] = detail::walk_transformed(forest, forest.roots[tree + k], transformed);
      }
      return;
    }
    for (std::uint32_t k = 0; k < count; ++k) leaves[k] = forest.roots[tree + k];
    detail::walk_side_by_side(nodes, longest, leaves,
                              [&](const detail::split_node& node, std::uint32_t number) {
                                return transformed[node.read] > forest.nodes[number].threshold;
                              });
  };
  return detail::cheapest(forest, leaves_of, scores);
}

}  // namespace fettle::model
