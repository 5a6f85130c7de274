// predictor: a trained model's answer to "which variant for these feature values?", whatever kind
// of classifier it is.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/model/forest.hpp>
#include <fettle/model/forest_block.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/svm.hpp>
#include <fettle/model/svm_lanes.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// What a predictor says: the place of a variant in the model's list, and whether all inputs are in
/// the region that the model was trained for (outside of it the variant is a guess).
struct decision {
  std::size_t variant;
  bool inside;

  friend bool operator==(const decision&, const decision&) = default;
};

/// Where what a decision reads first is, for whoever has something else to do before it.
struct decision_lines {
  const void* own = nullptr;     ///< one line of the predictor
  const void* tables = nullptr;  ///< detail::lines_ahead lines of its tables
};

/// A value: copies share the tables, which nobody changes. Reading is thread-safe.
class alignas(fettle::detail::cache_line) predictor {
 public:
  /// A support vector machine. `storage` is for the tables that it is evaluated from:
  /// lane_storage() doubles, aligned to 64 bytes. Everything that `svm` and `storage` point at must
  /// live as long as `owner`, or for ever where that is null. Preconditions: svm.inputs ==
  /// inputs.size(), labels below `variants`; input_stage's.
  predictor(std::span<const model_input> inputs, std::optional<double> guard, std::size_t variants,
            const svm_view& svm, std::span<double> storage, std::shared_ptr<const void> owner = {},
            std::size_t lanes = detail::best_lanes()) noexcept
      : variants_(variants),
        stage_(inputs, guard),
        svm_(svm),
        lanes_(detail::build_lane_tables(svm, lanes, storage)),
        owner_(std::move(owner)) {}

  /// A tree or a forest, whose nodes are `nodes`. The rest as above; forest.classes == variants;
  /// those of make_forest_block(). Throws std::bad_alloc.
  predictor(std::span<const model_input> inputs, std::optional<double> guard,
            const forest_view& forest, std::span<const tree_node> nodes,
            std::shared_ptr<const void> owner = {})
      : block_(detail::make_forest_block(inputs, guard, forest, nodes)),
        variants_(forest.classes),
        forest_(forest),
        stage_(inputs, guard),
        owner_(std::move(owner)) {}

  [[nodiscard]] std::size_t variants() const noexcept { return variants_; }

  /// The variant for an input. `features` holds the values of all features in the model's order;
  /// those that no model input names are not read. `scores` is empty, or receives a number for each
  /// variant: larger is better, the chosen variant's is the largest. Allocates nothing, throws
  /// nothing, thread-safe. Some 10 ns for a tree. svm_quick_choice() says what a machine costs, to
  /// which each logarithm adds about 4 ns; in the rare case that a decision value is too near zero
  /// for the fast way, or an input far outside the trained region, it costs what svm_predict does.
  [[nodiscard]] decision decide(std::span<const double> features,
                                std::span<double> scores = {}) const noexcept {
    assert(scores.empty() || scores.size() == variants_);
    if (block_ == nullptr) return decide_by_machine(features, scores);
    if (!block_->is_small || !scores.empty()) return decide_by_forest(features, scores);
    float raw[maximum_inputs];
    if (surely_inside(block_->counts, block_->inputs(), features.data(), raw)) [[likely]] {
      return {small_tree_choice(forest_, *block_, raw, stage_, features.data()), true};
    }
    return decide_transformed(features, scores);
  }

  /// Stays valid as long as this object.
  [[nodiscard]] decision_lines first_lines() const noexcept {
    if (block_ != nullptr) return {this, block_.get()};
    return {this, &stage_};
  }

 private:
  // Out of line: a small tree's way has to be short, and what comes with it few lines of code.
  [[gnu::noinline]] decision decide_by_machine(std::span<const double> features,
                                               std::span<double> scores) const noexcept {
    double inputs[maximum_inputs];
    if (stage_.scaled_if_inside(features.data(), inputs)) [[likely]] {
      const auto quick = svm_quick_choice(svm_, lanes_, inputs, scores);
      if (quick) [[likely]]
        return {*quick, true};
    }
    return decide_carefully(features, scores);
  }

  [[gnu::noinline]] decision decide_by_forest(std::span<const double> features,
                                              std::span<double> scores) const noexcept {
    double raw[maximum_inputs];
    if (!block_->is_small && surely_inside(block_->counts, block_->inputs(), features.data(), raw))
        [[likely]] {
      return {forest_choice(forest_, *block_, raw, stage_, features.data(), scores), true};
    }
    return decide_transformed(features, scores);
  }

  [[gnu::noinline]] decision decide_carefully(std::span<const double> features,
                                              std::span<double> scores) const noexcept {
    double inputs[maximum_inputs];
    const bool inside = stage_.scaled(features.data(), inputs);
    const auto quick = svm_quick_choice(svm_, lanes_, inputs, scores);
    return {quick ? *quick : svm_careful_choice(svm_, inputs, scores), inside};
  }

  [[gnu::noinline]] decision decide_transformed(std::span<const double> features,
                                                std::span<double> scores) const noexcept {
    double inputs[maximum_inputs];
    const bool inside = stage_.transformed(features.data(), inputs);
    return {forest_choice(forest_, *block_, inputs, scores), inside};
  }

  std::shared_ptr<const detail::forest_header> block_;  // null: a support vector machine
  std::size_t variants_;
  forest_view forest_;
  input_stage stage_;
  svm_view svm_;
  detail::lane_tables lanes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace fettle::model
