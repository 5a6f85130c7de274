// svm_predictor: support vector machines as a kind of predictor.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/svm.hpp>
#include <fettle/model/svm_lanes.hpp>
#include <fettle/model/svm_reader.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

/// Memory for `count` doubles, aligned to 64 bytes.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t count) : memory_(count + 7), count_(count) {}

  [[nodiscard]] std::span<double> get() noexcept;

 private:
  std::vector<double> memory_;
  std::size_t count_;
};

}  // namespace detail

class svm_predictor {
 public:
  using content = detail::svm_content;
  static constexpr std::array<std::string_view, 1> classifiers{"svm"};
  static constexpr std::string_view file_ending = ".svm";

  /// `storage` is for the tables that the machine is evaluated from: lane_storage() doubles,
  /// aligned to 64 bytes. Everything that `svm` and `storage` point at must live as long as
  /// `owner`, or for ever where that is null. Preconditions: svm.inputs == inputs.size();
  /// input_stage's. Throws std::bad_alloc.
  svm_predictor(std::span<const model_input> inputs, std::optional<double> guard,
                const svm_view& svm, std::span<double> storage,
                std::shared_ptr<const void> owner = {}, std::size_t lanes = detail::best_lanes())
      : state_(std::make_shared<const state>(state{input_stage(inputs, guard), svm,
                                                   detail::build_lane_tables(svm, lanes, storage),
                                                   std::move(owner)})) {}

  [[nodiscard]] static content read_content(const predictor_source& source);

  /// Throws fettle::error.
  [[nodiscard]] static svm_predictor read(const predictor_source& source);

  template <typename Embedded>
  [[nodiscard]] static svm_predictor embedded() {
    constexpr const auto& tables = Embedded::tables;
    static_assert(tables.inputs == Embedded::inputs.size(),
                  "the embedded machine and the embedded inputs differ in number");
    constexpr std::size_t needed =
        detail::lane_storage(tables.classes, tables.vectors, tables.inputs);
    alignas(64) static double storage[needed + 1];
    return {Embedded::inputs, Embedded::guard, tables.view(), storage};
  }

  /// svm_quick_choice() says what it costs, to which each logarithm adds about 4 ns; in the rare
  /// case that a decision value is too near zero for the fast way, or an input far outside the
  /// trained region, it costs what svm_predict does. Out of line, so that the code of a small tree
  /// stays short.
  [[nodiscard]] decision decide(std::span<const double> features,
                                std::span<double> scores) const noexcept;

  [[nodiscard]] const void* first_lines() const noexcept { return state_.get(); }

 private:
  struct state {
    input_stage stage;
    svm_view svm;
    detail::lane_tables lanes;
    std::shared_ptr<const void> owner;
  };
  static_assert(sizeof(state) >= 64 * lines_ahead);

  struct owned_tables {
    content machine;
    detail::aligned_doubles lanes;

    explicit owned_tables(content read)
        : machine(std::move(read)),
          lanes(detail::lane_storage(machine.labels.size(), machine.class_begin.back(),
                                     machine.inputs)) {}
  };

  decision decide_carefully(std::span<const double> features,
                            std::span<double> scores) const noexcept;

  std::shared_ptr<const state> state_;
};

static_assert(predictor_kind<svm_predictor>);

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/svm_predictor.ipp>
#endif
