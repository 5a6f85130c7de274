// What decisions by trees read, in one block of whole cache lines: how the inputs are read, then
// the splits, tree after tree. A program that calls a tuned function now and then finds none of
// this in the caches; the fewer lines, and the earlier they are asked for, the less it waits.
//
// A single tree of fewer than 2^15 splits, which is what most models are, has no leaves here, and
// four splits a line. Its thresholds are single precision, and so are the values it compares:
// rounding keeps order, so that of rounded numbers the larger one was larger before. Where they are
// equal, the tree's own threshold decides (forest.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// A split of a small tree. `left` and `right` are numbers of splits, or leaf_bit and the class
/// that is cheapest there; `node` is the tree's own number for it.
struct small_split {
  float below = 0;
  float above = 0;
  std::uint16_t left = 0;
  std::uint16_t right = 0;
  std::uint16_t input = 0;
  std::uint16_t node = 0;
};
static_assert(sizeof(small_split) == 16);

inline constexpr std::uint32_t leaf_bit = 0x8000;

/// A node of a forest: the question is asked of f or f/g (raw_stage.hpp). A leaf leads to itself,
/// and has input -1 - the row of its costs.
struct split_node {
  double below = 0;
  double above = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::int32_t input = -1;
  std::uint32_t read = 0;  // the input that a walk reads, even at a leaf
};
static_assert(sizeof(split_node) == 32);

/// The block's beginning; the inputs follow, then the splits or nodes.
struct forest_header {
  raw_counts counts{};
  bool is_small = false;
  std::uint16_t small_root = 0;  ///< as small_split::left
  std::uint32_t longest = 0;     ///< splits on the longest way to a leaf
  std::uint32_t lines = 0;       ///< that it takes
  std::uint32_t splits_at = 0;   ///< bytes from here
  std::uint64_t padding = 0;     ///< a multiple of 32 bytes, so that splits never straddle lines

  [[nodiscard]] const raw_input* inputs() const noexcept {
    return reinterpret_cast<const raw_input*>(this + 1);
  }
  [[nodiscard]] const small_split* small_splits() const noexcept {
    return reinterpret_cast<const small_split*>(bytes() + splits_at);
  }
  [[nodiscard]] const split_node* nodes() const noexcept {
    return reinterpret_cast<const split_node*>(bytes() + splits_at);
  }

 private:
  [[nodiscard]] const std::byte* bytes() const noexcept {
    return reinterpret_cast<const std::byte*>(this);
  }
};
static_assert(sizeof(forest_header) == 32 && sizeof(raw_input) == 32);

[[nodiscard]] inline anchor anchor_of(const tree_node& node, std::span<const model_input> inputs) {
  return anchor_of(node.threshold, is_logarithmic(inputs[node.input].kind));
}

/// The splits of a single tree that is small.
[[nodiscard]] inline std::vector<small_split> small_splits_of(std::span<const tree_node> nodes,
                                                              std::span<const model_input> inputs) {
  std::vector<std::uint16_t> number(nodes.size());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    number[i] = static_cast<std::uint16_t>(nodes[i].leaf ? leaf_bit | nodes[i].right : count++);
  }
  std::vector<small_split> splits;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const tree_node& node = nodes[i];
    if (node.leaf) continue;
    const anchor a = anchor_of(node, inputs);
    splits.push_back({static_cast<float>(a.below), static_cast<float>(a.above), number[node.left],
                      number[node.right], node.input, static_cast<std::uint16_t>(i)});
  }
  return splits;
}

/// Every node, leaves included. `longest` receives how many splits the longest way has.
[[nodiscard]] inline std::vector<split_node> split_nodes_of(std::span<const tree_node> nodes,
                                                            std::span<const model_input> inputs,
                                                            std::uint32_t& longest) {
  constexpr double lowest = -std::numeric_limits<double>::max();
  std::vector<split_node> out(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const tree_node& node = nodes[i];
    if (node.leaf) {  // whatever is read is above
      out[i] = {lowest, lowest, i, i, -1 - static_cast<std::int32_t>(node.left), 0};
    } else {
      const anchor a = anchor_of(node, inputs);
      out[i] = {a.below, a.above, node.left, node.right, node.input, 0};
    }
  }
  // Children come after their parent: `read` is a node's depth until its own turn has come.
  longest = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t depth = out[i].read;
    out[i].read = nodes[i].leaf ? 0 : nodes[i].input;
    longest = depth > longest ? depth : longest;
    if (nodes[i].leaf) continue;
    out[nodes[i].left].read = depth + 1;
    out[nodes[i].right].read = depth + 1;
  }
  return out;
}

/// The block for `forest`, whose nodes are `nodes`. Preconditions: those of input_stage; the first
/// node is a root, and children come after their parent. Throws std::bad_alloc.
[[nodiscard]] inline std::shared_ptr<const forest_header> make_forest_block(
    std::span<const model_input> inputs, std::optional<double> guard, const forest_view& forest,
    std::span<const tree_node> nodes) {
  const raw_stage stage(inputs, guard);
  const std::span<const raw_input> raw = stage.inputs();
  forest_header header;
  header.counts = stage.counts();
  header.is_small = forest.trees == 1 && nodes.size() < 2 * leaf_bit;
  header.splits_at = static_cast<std::uint32_t>(sizeof(forest_header) + raw.size_bytes());
  const auto filled = [&](const auto& splits) {
    header.lines = static_cast<std::uint32_t>(
        fettle::detail::whole_lines(header.splits_at + splits.size() * sizeof(splits[0])));
    std::shared_ptr<std::byte> block =
        fettle::detail::make_lines(std::max<std::size_t>(header.lines, lines_ahead));
    auto* const begin = new (block.get()) forest_header(header);
    std::uninitialized_copy(raw.begin(), raw.end(), reinterpret_cast<raw_input*>(begin + 1));
    using split = typename std::decay_t<decltype(splits)>::value_type;
    std::uninitialized_copy(splits.begin(), splits.end(),
                            reinterpret_cast<split*>(block.get() + header.splits_at));
    return std::shared_ptr<const forest_header>(std::move(block), begin);
  };
  if (!header.is_small) return filled(split_nodes_of(nodes, inputs, header.longest));
  if (nodes[0].leaf) header.small_root = static_cast<std::uint16_t>(leaf_bit | nodes[0].right);
  return filled(small_splits_of(nodes, inputs));
}

}  // namespace fettle::model::detail
