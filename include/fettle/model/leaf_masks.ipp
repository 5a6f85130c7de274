// Definitions of leaf_masks.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/leaf_masks.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/paired_numbers.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// How many of as many numbers as there are indices are less than `value`.
template <std::size_t... Index>
[[nodiscard]] std::uint32_t count_less(const double* numbers, double value,
                                       std::index_sequence<Index...> /*indices*/) noexcept {
  return (static_cast<std::uint32_t>(numbers[Index] < value) + ...);
}

/// Whether no tree has a path of more than `limit` splits: so deep may functions recurse.
[[nodiscard]] inline bool are_shallow(std::span<const tree_node> nodes, std::uint32_t limit) {
  std::vector<std::uint32_t> depth(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {  // children come after their parent
    if (depth[i] > limit) return false;
    if (!nodes[i].leaf) depth[nodes[i].left] = depth[nodes[i].right] = depth[i] + 1;
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE leaf_masks::leaf_masks(const forest_view& forest,
                                                   std::span<const tree_node> nodes,
                                                   std::span<const model_input> inputs) {
  if (!build(forest, nodes, inputs)) *this = leaf_masks();
}

[[gnu::cold]] FETTLE_INLINE bool leaf_masks::build(const forest_view& forest,
                                                   std::span<const tree_node> nodes,
                                                   std::span<const model_input> inputs) {
  constexpr std::uint32_t fewest_trees = 4;
  constexpr std::uint32_t deepest = 1000;
  if (forest.trees < fewest_trees || forest.trees > most_columns) return false;
  if (nodes.size() > std::size_t{2} * bits * most_columns || !are_shallow(nodes, deepest)) {
    return false;
  }
  stride_ = (forest.classes + 1) / 2 * 2;
  std::uint32_t most_leaves = 1;
  for (std::uint32_t tree = 0; tree < forest.trees; ++tree) {
    first_leaves_.push_back(static_cast<std::uint32_t>(costs_.size()));
    most_leaves = std::max(most_leaves, add_leaves(forest, forest.roots[tree]));
  }
  words_ = (most_leaves + bits - 1) / bits;
  const std::size_t columns = std::size_t{forest.trees} * words_;
  if (columns > most_columns) return false;
  columns_ = static_cast<std::uint32_t>((columns + columns_at_a_time - 1) / columns_at_a_time *
                                        columns_at_a_time);
  std::vector<std::vector<threshold_mask>> splits(inputs.size());
  for (std::uint32_t tree = 0; tree < forest.trees; ++tree) {
    add_splits(forest, forest.roots[tree], 0, tree * words_, inputs, splits);
  }
  for (std::uint32_t input = 0; input < inputs.size(); ++input) {
    if (splits[input].empty()) continue;
    const std::size_t rows = splits[input].size() / interval + 1;
    if (combined_.size() + rows * columns_ > most_masks) return false;
    add_input(input, splits[input]);
  }
  add_group_ends();
  const bool sorted = std::ranges::all_of(ranges_, [this](const split_range& range) {
    const auto at = [&](const std::vector<double>& all) { return all.begin() + range.first; };
    return std::is_sorted(at(above_), at(above_) + range.count) &&
           std::is_sorted(at(below_), at(below_) + range.count);
  });
  // Thresholds that no raw value can be compared with are not in order.
  if (!sorted || ranges_.empty()) return false;
  trees_ = forest.trees;
  return true;
}

[[gnu::cold]] FETTLE_INLINE std::uint32_t leaf_masks::add_leaves(const forest_view& forest,
                                                                 std::uint32_t node) {
  const tree_node& here = forest.nodes[node];
  if (!here.leaf) {
    const std::uint32_t left = add_leaves(forest, here.left);
    return left + add_leaves(forest, here.right);
  }
  const double* const row = forest.costs + std::size_t{here.left} * forest.classes;
  costs_.insert(costs_.end(), row, row + forest.classes);
  costs_.resize(costs_.size() + stride_ - forest.classes);
  return 1;
}

[[gnu::cold]] FETTLE_INLINE std::uint32_t leaf_masks::add_splits(
    const forest_view& forest, std::uint32_t node, std::uint32_t leaf, std::uint32_t first_column,
    std::span<const model_input> inputs, std::vector<std::vector<threshold_mask>>& splits) const {
  const tree_node& here = forest.nodes[node];
  if (here.leaf) return leaf + 1;
  const std::uint32_t middle = add_splits(forest, here.left, leaf, first_column, inputs, splits);
  const anchor limits = anchor_of(here, inputs);
  for (std::uint32_t word = leaf / bits; word * bits < middle; ++word) {
    std::uint64_t ruled_out = 0;
    for (std::uint32_t k = std::max(leaf, word * bits); k < std::min(middle, (word + 1) * bits);
         ++k) {
      ruled_out |= std::uint64_t{1} << (k % bits);
    }
    splits[here.input].push_back({limits.below, limits.above, {~ruled_out, first_column + word}});
  }
  return add_splits(forest, here.right, middle, first_column, inputs, splits);
}

[[gnu::cold]] FETTLE_INLINE void leaf_masks::add_input(std::uint32_t input,
                                                       std::vector<threshold_mask>& splits) {
  std::ranges::stable_sort(splits, {}, &threshold_mask::above);
  const auto first_row = static_cast<std::uint32_t>(combined_.size() / columns_);
  ranges_.push_back({input, static_cast<std::uint32_t>(masks_.size()),
                     static_cast<std::uint32_t>(splits.size()), first_row});
  std::vector<std::uint64_t> row(columns_, ~std::uint64_t{0});
  for (std::size_t k = 0; k <= splits.size(); ++k) {
    if (k % interval == 0) combined_.insert(combined_.end(), row.begin(), row.end());
    if (k == splits.size()) break;
    above_.push_back(splits[k].above);
    below_.push_back(splits[k].below);
    masks_.push_back(splits[k].mask);
    row[splits[k].mask.column] &= splits[k].mask.kept;
  }
  // A group of thresholds can be read behind the last one, and no value is above those there.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  above_.insert(above_.end(), interval, infinity);
  below_.insert(below_.end(), interval, infinity);
  masks_.resize(above_.size());
}

[[gnu::cold]] FETTLE_INLINE void leaf_masks::add_group_ends() {
  groups_ = 1;
  for (const split_range& range : ranges_) {
    groups_ = std::max(groups_, std::bit_ceil(range.count / interval + 1));
  }
  for (const split_range& range : ranges_) {
    for (std::uint32_t group = 0; group < groups_; ++group) {
      const std::uint32_t last = group * interval + interval - 1;
      group_ends_.push_back(last < range.count ? above_[range.first + last]
                                               : std::numeric_limits<double>::infinity());
    }
  }
}

FETTLE_INLINE std::uint32_t leaf_masks::leaf_in(const std::uint64_t* words) const noexcept {
  std::uint32_t leaf = 0;
  for (std::uint32_t word = words_; word-- > 0;) {
    const auto here = word * bits + static_cast<std::uint32_t>(std::countr_zero(words[word]));
    leaf = words[word] != 0 ? here : leaf;
  }
  return leaf;
}

FETTLE_INLINE bool leaf_masks::sum_costs(const double* raw, double* sums) const noexcept {
  const auto ranges = static_cast<std::uint32_t>(ranges_.size());
  // How many groups of thresholds are below each value: a binary search for all inputs at a time,
  // without branches, which would be mispredicted half the time.
  double values[maximum_inputs];
  std::uint32_t groups[maximum_inputs];
  for (std::uint32_t k = 0; k < ranges; ++k) {
    values[k] = raw[ranges_[k].input];
    groups[k] = 0;
  }
  for (std::uint32_t step = groups_ / 2; step > 0; step /= 2) {
    const double* ends = group_ends_.data() + step - 1;
    for (std::uint32_t k = 0; k < ranges; ++k, ends += groups_) {
      const bool below = ends[groups[k]] < values[k];
      groups[k] += step & (std::uint32_t{0} - static_cast<std::uint32_t>(below));
    }
  }
  const std::uint64_t* combined[maximum_inputs];
  std::uint32_t singles[maximum_inputs];  // splits that no stored combination holds
  bool certain = true;
  for (std::uint32_t k = 0; k < ranges; ++k) {
    const std::size_t first = ranges_[k].first + std::size_t{groups[k]} * interval;
    singles[k] = count_less(&above_[first], values[k], std::make_index_sequence<interval>());
    certain &= values[k] < below_[first + singles[k]];
    combined[k] = &combined_[(std::size_t{ranges_[k].first_row} + groups[k]) * columns_];
  }
  if (!certain) return false;

  alignas(64) std::uint64_t reached[most_columns];
  for (std::size_t c = 0; c < columns_; c += columns_at_a_time) {
    combine({combined, ranges}, c, reached, std::make_index_sequence<columns_at_a_time / 2>());
  }
  for (std::uint32_t k = 0; k < ranges; ++k) {
    const split_mask* mask = &masks_[ranges_[k].first + std::size_t{groups[k]} * interval];
    for (const split_mask* const end = mask + singles[k]; mask != end; ++mask) {
      reached[mask->column] &= mask->kept;
    }
  }
  std::uint32_t rows[most_columns];
  const auto find_rows = [&](const auto& leaf_of) {
    for (std::uint32_t tree = 0; tree < trees_; ++tree) {
      rows[tree] = first_leaves_[tree] + stride_ * leaf_of(tree);
    }
  };
  if (words_ == 1) {
    find_rows([&](std::uint32_t tree) {
      return static_cast<std::uint32_t>(std::countr_zero(reached[tree]));
    });
  } else {
    find_rows([&](std::uint32_t tree) { return leaf_in(&reached[std::size_t{tree} * words_]); });
  }
  add_all_rows(costs_.data(), stride_, {rows, trees_}, sums);
  return true;
}

}  // namespace fettle::model::detail
