// forest_predictor: decision trees, one or many, as a kind of predictor.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/model/forest.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/forest_reader.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/leaf_masks.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model {

class forest_predictor {
 public:
  using content = detail::forest_content;
  static constexpr std::array<std::string_view, 2> classifiers{"tree", "forest"};
  static constexpr std::string_view file_ending = ".tree";

  /// Everything that `forest`, whose nodes are `nodes`, points at must live as long as `owner`, or
  /// for ever where that is null. Preconditions: those of make_forest_block(). Throws
  /// std::bad_alloc.
  forest_predictor(std::span<const model_input> inputs, std::optional<double> guard,
                   const forest_view& forest, std::span<const tree_node> nodes,
                   std::shared_ptr<const void> owner = {});

  [[nodiscard]] static content read_content(const predictor_source& source);

  /// Throws fettle::error.
  [[nodiscard]] static forest_predictor read(const predictor_source& source);

  template <typename Embedded>
  [[nodiscard]] static forest_predictor embedded() {
    constexpr const auto& tables = Embedded::tables;
    static_assert(tables.classes == Embedded::variants.size(),
                  "the embedded trees and the embedded variants differ in number");
    return {Embedded::inputs, Embedded::guard, tables.view(), tables.nodes};
  }

  /// Some 10 ns for a single tree.
  [[nodiscard]] decision decide(std::span<const double> features,
                                std::span<double> scores) const noexcept {
    const detail::forest_header& block = *block_;
    if (!block.is_small || !scores.empty()) return decide_by_forest(features, scores);
    float raw[maximum_inputs];
    if (surely_inside(block.counts, block.inputs(), features.data(), raw)) [[likely]] {
      return {small_tree_choice(state_->forest, block, raw, state_->stage, features.data()), true};
    }
    return decide_transformed(features, scores);
  }

  [[nodiscard]] const void* first_lines() const noexcept { return block_; }

 private:
  struct state {
    input_stage stage;
    forest_view forest;
    std::shared_ptr<const detail::forest_header> block;
    detail::leaf_masks masks;
    std::shared_ptr<const void> owner;
  };

  // Out of line: the code of a small tree, which callers inline, has to be short.
  decision decide_by_forest(std::span<const double> features,
                            std::span<double> scores) const noexcept;

  decision decide_transformed(std::span<const double> features,
                              std::span<double> scores) const noexcept;

  std::shared_ptr<const state> state_;
  const detail::forest_header* block_;  // the state's, beside the predictor's tag
};

static_assert(predictor_kind<forest_predictor>);

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/forest_predictor.ipp>
#endif
