// What decisions by trees read, in one block of whole cache lines: how the inputs are read, then
// the splits, tree after tree. A program that calls a tuned function now and then finds none of
// this in the caches; the fewer lines, and the earlier they are asked for, the less it waits.
//
// A single tree of fewer than 2^15 splits, which is what most models are, has no leaves here, and
// four splits a line. Its thresholds are single precision, and so are the values it compares:
// rounding keeps order, so that of rounded numbers the larger one was larger before. Where they are
// equal, the tree's own threshold decides (forest.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
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
[[nodiscard]] std::vector<small_split> small_splits_of(std::span<const tree_node> nodes,
                                                       std::span<const model_input> inputs);

/// Every node, leaves included. `longest` receives how many splits the longest way has.
[[nodiscard]] std::vector<split_node> split_nodes_of(std::span<const tree_node> nodes,
                                                     std::span<const model_input> inputs,
                                                     std::uint32_t& longest);

/// The block for `forest`, whose nodes are `nodes`. Preconditions: those of input_stage; the first
/// node is a root, and children come after their parent. Throws std::bad_alloc.
[[nodiscard]] std::shared_ptr<const forest_header> make_forest_block(
    std::span<const model_input> inputs, std::optional<double> guard, const forest_view& forest,
    std::span<const tree_node> nodes);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/forest_block.ipp>
#endif
