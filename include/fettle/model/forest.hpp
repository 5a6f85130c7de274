// Decision trees as a predictor: the variant with the smallest expected cost, summed over the
// trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/leaf_masks.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/raw_stage.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

/// Whether a split sends the input to the left, by the tree's own threshold.
[[nodiscard]] [[gnu::noinline]] inline bool goes_left(const input_stage& stage, std::size_t input,
                                                      const double* features,
                                                      double threshold) noexcept {
  return stage.transformed_alone(input, features) <= threshold;
}

/// The leaf of a tree of a forest that inputs inside the guard reach, compared in raw values.
[[nodiscard]] std::uint32_t walk_raw(const forest_view& forest, const split_node* nodes,
                                     std::uint32_t root, const double* raw,
                                     const input_stage& stage, const double* features) noexcept;

/// The leaf that transformed inputs reach.
[[nodiscard]] std::uint32_t walk_transformed(const forest_view& forest, std::uint32_t root,
                                             const double* t) noexcept;

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

/// The first of the smallest sums; `scores`, where not empty, receives minus each.
[[nodiscard]] inline std::size_t cheapest_of(std::span<const double> sums,
                                             std::span<double> scores) noexcept {
  std::size_t best = 0;
  for (std::size_t c = 1; c < sums.size(); ++c) {
    if (sums[c] < sums[best]) best = c;
  }
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = -sums[c];
  return best;
}

/// The class whose costs, summed over the trees, are smallest (the first of equals).
/// `rows_of(tree, count, rows)` finds the rows of costs of the next `count` trees' leaves, at most
/// side_by_side.
template <typename RowsOf>
[[nodiscard]] std::size_t cheapest(const forest_view& forest, const RowsOf& rows_of,
                                   std::span<double> scores) noexcept {
  double sums[maximum_classes];
  for (std::uint32_t c = 0; c < forest.classes; ++c) sums[c] = 0;
  std::uint32_t rows[side_by_side];
  for (std::uint32_t tree = 0; tree < forest.trees; tree += side_by_side) {
    const std::uint32_t count =
        forest.trees - tree < side_by_side ? forest.trees - tree : side_by_side;
    rows_of(tree, count, rows);
    for (std::uint32_t k = 0; k < count; ++k) {
      const double* const costs = forest.costs + std::size_t{rows[k]} * forest.classes;
      for (std::uint32_t c = 0; c < forest.classes; ++c) sums[c] = rounded(sums[c] + costs[c]);
    }
  }
  return cheapest_of({sums, forest.classes}, scores);
}

}  // namespace detail

/// The cheapest class (the first of equals) of a small tree for inputs that raw_stage found surely
/// inside, compared in raw values. Allocates nothing; about 1 ns a level where the processor
/// predicts the branches by which it walks: conditional moves would wait for every comparison.
[[nodiscard]] inline std::size_t small_tree_choice(const forest_view& forest,
                                                   const detail::forest_header& header,
                                                   const float* raw, const input_stage& stage,
                                                   const double* features) noexcept {
  const detail::small_split* const splits = header.small_splits();
  std::uint32_t at = header.small_root;
  while (at < detail::leaf_bit) {
    const detail::small_split& split = splits[at];
    const float value = raw[split.input];
    if (value > split.above) {
      at = split.right;
#ifdef __GNUC__
      asm("" : "+r"(at));  // keeps the branch: no conditional move
#endif
    } else if (value < split.below) {
      at = split.left;
    } else {
      at = detail::goes_left(stage, split.input, features, forest.nodes[split.node].threshold)
               ? split.left
               : split.right;
    }
  }
  return at ^ detail::leaf_bit;
}

/// The class with the smallest summed cost (the first of equals) of a forest that is not a small
/// tree, for the same inputs; `masks` are the forest's, or empty. `scores`, where not empty,
/// receives minus the sum of each class.
[[nodiscard]] std::size_t forest_choice(const forest_view& forest, const detail::leaf_masks& masks,
                                        const detail::forest_header& header, const double* raw,
                                        const input_stage& stage, const double* features,
                                        std::span<double> scores) noexcept;

/// The same for any forest and for transformed inputs, whatever they are.
[[nodiscard]] std::size_t forest_choice(const forest_view& forest,
                                        const detail::forest_header& header,
                                        const double* transformed,
                                        std::span<double> scores) noexcept;

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/forest.ipp>
#endif
