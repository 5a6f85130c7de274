// Definitions of forest_block.hpp.
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
#include <fettle/core/definition.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE std::vector<small_split> small_splits_of(
    std::span<const tree_node> nodes, std::span<const model_input> inputs) {
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

[[gnu::cold]] FETTLE_INLINE std::vector<split_node> split_nodes_of(
    std::span<const tree_node> nodes, std::span<const model_input> inputs, std::uint32_t& longest) {
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
  // Children come after their parent: `read` holds a node's depth until the node is visited.
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

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const forest_header> make_forest_block(
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
