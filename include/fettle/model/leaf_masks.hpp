// leaf_masks: the leaves that an input reaches in all trees of a forest at once, by bit masks
// (QuickScorer: Lucchese et al., SIGIR 2015).
//
// A tree's leaves, from left to right, are bits. A split that sends the input to the right rules
// out the leaves on its left; the leftmost leaf that no split rules out is the one that a walk
// reaches. For each model input the splits are sorted by threshold, so that those that send it to
// the right are the first ones: their masks combined are stored for every 8th, and the rest is
// applied one by one. Walks wait for a node before they know the next one; this waits for nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

class leaf_masks {
 public:
  leaf_masks() = default;

  /// Empty where `forest`, whose nodes are `nodes`, has too few trees to gain by this, or trees too
  /// large for it. Preconditions: those of make_forest_block(). Throws std::bad_alloc.
  leaf_masks(const forest_view& forest, std::span<const tree_node> nodes,
             std::span<const model_input> inputs);

  [[nodiscard]] bool empty() const noexcept { return trees_ == 0; }

  /// The costs of each class, summed over the trees in their order, for inputs that raw_stage found
  /// surely inside, in raw values. Returns false where a value is so close to a threshold that raw
  /// values prove nothing. `sums` has room for one number more than there are classes.
  [[nodiscard]] bool sum_costs(const double* raw, double* sums) const noexcept;

 private:
  static constexpr std::uint32_t bits = 64;
  static constexpr std::uint32_t interval = 8;          // splits between stored combinations
  static constexpr std::uint32_t most_columns = 1024;   // of masks, on the stack of a decision
  static constexpr std::size_t most_masks = 1U << 20U;  // that are stored: 8 MB
  static constexpr std::uint32_t columns_at_a_time = 16;

  /// A split that sends the input to the right keeps these leaves of one word of its tree.
  struct split_mask {
    std::uint64_t kept;
    std::uint32_t column;
  };
  struct threshold_mask {
    double below;
    double above;
    split_mask mask;
  };
  /// The splits by one model input: `count` of them from `first` on.
  struct split_range {
    std::uint32_t input = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t first_row = 0;  // of stored combinations
  };

  [[nodiscard]] bool build(const forest_view& forest, std::span<const tree_node> nodes,
                           std::span<const model_input> inputs);
  /// Numbers the leaves below `node` from left to right; returns their number.
  std::uint32_t add_leaves(const forest_view& forest, std::uint32_t node);
  /// The splits of one tree; `leaf` is the number of the leftmost leaf below `node`.
  std::uint32_t add_splits(const forest_view& forest, std::uint32_t node, std::uint32_t leaf,
                           std::uint32_t first_column, std::span<const model_input> inputs,
                           std::vector<std::vector<threshold_mask>>& splits) const;
  void add_input(std::uint32_t input, std::vector<threshold_mask>& splits);
  void add_group_ends();
  [[nodiscard]] std::uint32_t leaf_in(const std::uint64_t* words) const noexcept;

  std::uint32_t trees_ = 0;
  std::uint32_t words_ = 1;  // of a tree's mask
  std::uint32_t columns_ = 0;
  std::uint32_t stride_ = 0;  // of a leaf's costs: the classes, rounded up to an even number
  std::vector<split_range> ranges_;
  std::uint32_t groups_ = 1;        // of `interval` thresholds; a power of two for each input
  std::vector<double> group_ends_;  // [ranges][groups] the last threshold of each
  std::vector<double> above_;
  std::vector<double> below_;
  std::vector<split_mask> masks_;
  std::vector<std::uint64_t> combined_;
  std::vector<std::uint32_t> first_leaves_;  // [trees] indices of their costs
  std::vector<double> costs_;                // [leaves][stride]
};

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/leaf_masks.ipp>
#endif
