// Definitions of svm_predictor.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/svm.hpp>
#include <fettle/model/svm_lanes.hpp>
#include <fettle/model/svm_predictor.hpp>
#include <fettle/model/svm_reader.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE std::span<double> aligned_doubles::get() noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  return {memory_.data() + (64 - address % 64) % 64 / sizeof(double), count_};
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE svm_predictor::content svm_predictor::read_content(
    const predictor_source& source) {
  return detail::read_svm(source.file, source.text, source.inputs.size(), source.variants);
}

[[gnu::cold]] FETTLE_INLINE svm_predictor svm_predictor::read(const predictor_source& source) {
  const auto owned = std::make_shared<owned_tables>(read_content(source));
  return {source.inputs, source.guard, owned->machine.view(), owned->lanes.get(), owned};
}

[[gnu::noinline]] FETTLE_INLINE decision
svm_predictor::decide(std::span<const double> features, std::span<double> scores) const noexcept {
  double inputs[maximum_inputs];
  if (state_->stage.scaled_if_inside(features.data(), inputs)) [[likely]] {
    const auto quick = svm_quick_choice(state_->svm, state_->lanes, inputs, scores);
    if (quick) [[likely]]
      return {*quick, true};
  }
  return decide_carefully(features, scores);
}

[[gnu::noinline]] FETTLE_INLINE decision svm_predictor::decide_carefully(
    std::span<const double> features, std::span<double> scores) const noexcept {
  double inputs[maximum_inputs];
  const bool inside = state_->stage.scaled(features.data(), inputs);
  const auto quick = svm_quick_choice(state_->svm, state_->lanes, inputs, scores);
  return {quick ? *quick : svm_careful_choice(state_->svm, inputs, scores), inside};
}

}  // namespace fettle::model
