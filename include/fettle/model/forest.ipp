// Definitions of forest.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/forest.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/leaf_masks.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/raw_stage.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

FETTLE_INLINE std::uint32_t walk_raw(const forest_view& forest, const split_node* nodes,
                                     std::uint32_t root, const double* raw,
                                     const input_stage& stage, const double* features) noexcept {
  std::uint32_t at = root;
  while (nodes[at].input >= 0) {
    const split_node& node = nodes[at];
    const auto input = static_cast<std::size_t>(node.input);
    const double value = raw[input];
    if (value > node.above) {
      at = node.right;
#ifdef __GNUC__
      asm("" : "+r"(at));  // keeps the branch: no conditional move
#endif
    } else if (value < node.below) {
      at = node.left;
    } else {
      at = goes_left(stage, input, features, forest.nodes[at].threshold) ? node.left : node.right;
    }
  }
  return at;
}

FETTLE_INLINE std::uint32_t walk_transformed(const forest_view& forest, std::uint32_t root,
                                             const double* t) noexcept {
  std::uint32_t at = root;
  while (!forest.nodes[at].leaf) {
    const tree_node& node = forest.nodes[at];
    at = t[node.input] <= node.threshold ? node.left : node.right;
  }
  return at;
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

FETTLE_INLINE std::size_t forest_choice(const forest_view& forest, const detail::leaf_masks& masks,
                                        const detail::forest_header& header, const double* raw,
                                        const input_stage& stage, const double* features,
                                        std::span<double> scores) noexcept {
  if (!masks.empty()) {
    double sums[maximum_classes + 1];
    if (masks.sum_costs(raw, sums)) return detail::cheapest_of({sums, forest.classes}, scores);
  }
  const detail::split_node* const nodes = header.nodes();
  const auto leaf_of = [&](std::uint32_t tree) {
    return detail::walk_raw(forest, nodes, forest.roots[tree], raw, stage, features);
  };
  const auto row_of = [nodes](std::uint32_t leaf) {
    return static_cast<std::uint32_t>(-1 - nodes[leaf].input);
  };
  const auto rows_of = [&](std::uint32_t tree, std::uint32_t count, std::uint32_t* rows) {
    if (count == detail::side_by_side) {
      for (std::uint32_t k = 0; k < count; ++k) rows[k] = forest.roots[tree + k];
      bool certain = true;
      detail::walk_side_by_side(nodes, header.longest, rows,
                                [&](const detail::split_node& node, std::uint32_t) {
                                  const double value = raw[node.read];
                                  const bool above = value > node.above;
                                  certain &= above | (value < node.below);
                                  return above;
                                });
      if (certain) {
        for (std::uint32_t k = 0; k < count; ++k) rows[k] = row_of(rows[k]);
        return;
      }
    }
    for (std::uint32_t k = 0; k < count; ++k) rows[k] = row_of(leaf_of(tree + k));
  };
  return detail::cheapest(forest, rows_of, scores);
}

FETTLE_INLINE std::size_t forest_choice(const forest_view& forest,
                                        const detail::forest_header& header,
                                        const double* transformed,
                                        std::span<double> scores) noexcept {
  const auto rows_of = [&](std::uint32_t tree, std::uint32_t count, std::uint32_t* rows) {
    if (count < detail::side_by_side) {
      for (std::uint32_t k = 0; k < count; ++k) {
        rows[k] = detail::walk_transformed(forest, forest.roots[tree + k], transformed);
      }
    } else {  // more trees than one: no small tree
      for (std::uint32_t k = 0; k < count; ++k) rows[k] = forest.roots[tree + k];
      detail::walk_side_by_side(header.nodes(), header.longest, rows,
                                [&](const detail::split_node& node, std::uint32_t number) {
                                  return transformed[node.read] > forest.nodes[number].threshold;
                                });
    }
    for (std::uint32_t k = 0; k < count; ++k) rows[k] = forest.nodes[rows[k]].left;
  };
  return detail::cheapest(forest, rows_of, scores);
}

}  // namespace fettle::model
