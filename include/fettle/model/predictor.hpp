// predictor: a trained model's answer to "which variant for these feature values?", whatever kind
// of classifier it is.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <fettle/model/forest.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/raw_stage.hpp>
#include <fettle/model/svm.hpp>
#include <fettle/model/svm_lanes.hpp>

namespace fettle::model {

/// What a predictor says: the place of a variant in the model's list, and whether all inputs are in
/// the region that the model was trained for (outside of it the variant is a guess).
struct decision {
  std::size_t variant;
  bool inside;

  friend bool operator==(const decision&, const decision&) = default;
};

/// A value: copies share the tables, which nobody changes. Reading is thread-safe.
class predictor {
 public:
  /// A support vector machine. `storage` is for the tables that it is evaluated from:
  /// lane_storage() doubles, aligned to 64 bytes. Everything that `svm` and `storage` point at must
  /// live as long as `owner`, or for ever where that is null. Preconditions: svm.inputs ==
  /// inputs.size(), labels below `variants`; input_stage's.
  predictor(std::span<const model_input> inputs, std::optional<double> guard, std::size_t variants,
            const svm_view& svm, std::span<double> storage, std::shared_ptr<const void> owner = {},
            std::size_t lanes = detail::best_lanes()) noexcept
      : stage_(inputs, guard),
        variants_(variants),
        svm_(svm),
        lanes_(detail::build_lane_tables(svm, lanes, storage)),
        owner_(std::move(owner)) {}

  /// A tree or a forest. `storage` has a place for each of its nodes. The rest as above;
  /// forest.classes == variants.
  predictor(std::span<const model_input> inputs, std::optional<double> guard,
            const forest_view& forest, std::span<const tree_node> nodes,
            std::span<detail::split_node> storage, std::shared_ptr<const void> owner = {}) noexcept
      : stage_(inputs, guard),
        raw_(inputs, guard),
        variants_(forest.classes),
        forest_(forest),
        splits_(storage.data()),
        owner_(std::move(owner)) {
    longest_ = detail::build_split_nodes(nodes, inputs, storage);
  }

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
    double inputs[maximum_inputs];
    if (splits_ == nullptr) {
      if (stage_.scaled_if_inside(features.data(), inputs)) [[likely]] {
        const auto quick = svm_quick_choice(svm_, lanes_, inputs, scores);
        if (quick) [[likely]]
          return {*quick, true};
      }
      return decide_carefully(features, scores);
    }
    if (raw_.surely_inside(features.data(), inputs)) [[likely]] {
      return {forest_choice(forest_, splits_, longest_, inputs, stage_, features.data(), scores),
              true};
    }
    const bool inside = stage_.transformed(features.data(), inputs);
    return {forest_choice(forest_, splits_, longest_, inputs, scores), inside};
  }

 private:
  [[gnu::noinline]] decision decide_carefully(std::span<const double> features,
                                              std::span<double> scores) const noexcept {
    double inputs[maximum_inputs];
    const bool inside = stage_.scaled(features.data(), inputs);
    const auto quick = svm_quick_choice(svm_, lanes_, inputs, scores);
    return {quick ? *quick : svm_careful_choice(svm_, inputs, scores), inside};
  }

  input_stage stage_;
  raw_stage raw_;
  std::size_t variants_;
  svm_view svm_;
  detail::lane_tables lanes_;
  forest_view forest_;
  const detail::split_node* splits_ = nullptr;  // null: a support vector machine
  std::uint32_t longest_ = 0;                   // splits on the longest way to a leaf
  std::shared_ptr<const void> owner_;
};

}  // namespace fettle::model
