// Definitions of forest_predictor.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/forest.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_predictor.hpp>
#include <fettle/model/forest_reader.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/leaf_masks.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE forest_predictor::forest_predictor(std::span<const model_input> inputs,
                                                               std::optional<double> guard,
                                                               const forest_view& forest,
                                                               std::span<const tree_node> nodes,
                                                               std::shared_ptr<const void> owner)
    : state_(std::make_shared<const state>(
          state{input_stage(inputs, guard), forest,
                detail::make_forest_block(inputs, guard, forest, nodes),
                detail::leaf_masks(forest, nodes, inputs), std::move(owner)})),
      block_(state_->block.get()) {}

[[gnu::cold]] FETTLE_INLINE forest_predictor::content forest_predictor::read_content(
    const predictor_source& source) {
  const std::size_t most_trees = source.classifier == "tree" ? 1 : maximum_nodes;
  return detail::read_forest(source.file, source.text, source.inputs.size(), source.variants,
                             most_trees);
}

[[gnu::cold]] FETTLE_INLINE forest_predictor
forest_predictor::read(const predictor_source& source) {
  const auto owned = std::make_shared<const content>(read_content(source));
  return {source.inputs, source.guard, owned->view(), owned->nodes, owned};
}

[[gnu::noinline]] FETTLE_INLINE decision forest_predictor::decide_by_forest(
    std::span<const double> features, std::span<double> scores) const noexcept {
  double raw[maximum_inputs];
  if (!block_->is_small && surely_inside(block_->counts, block_->inputs(), features.data(), raw))
      [[likely]] {
    return {forest_choice(state_->forest, state_->masks, *block_, raw, state_->stage,
                          features.data(), scores),
            true};
  }
  return decide_transformed(features, scores);
}

[[gnu::noinline]] FETTLE_INLINE decision forest_predictor::decide_transformed(
    std::span<const double> features, std::span<double> scores) const noexcept {
  double inputs[maximum_inputs];
  const bool inside = state_->stage.transformed(features.data(), inputs);
  return {forest_choice(state_->forest, *block_, inputs, scores), inside};
}

}  // namespace fettle::model
