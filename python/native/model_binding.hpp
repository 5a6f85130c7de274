// fettle._native.Model: a model directory, evaluated by the code that deployed programs run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/model/error_gate.hpp>
#include <fettle/model/model_directory.hpp>

#include "model_files_binding.hpp"

namespace fettle_native {

namespace py = pybind11;
namespace model = fettle::model;

using doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// The texts are those of fettle::selection_reason.
inline constexpr const char* chosen_by_model = "model";
inline constexpr const char* outside_region = "outside the trained region";
inline constexpr const char* error_bound = "error bound";

struct selection {
  std::size_t index;
  std::string reason;
  std::vector<double> scores;
};

/// A model directory as deployed: the default variant stands in outside the trained region, and the
/// best one that is admitted for an approximate one whose error may be beyond the bound.
class native_model {
 public:
  explicit native_model(const std::filesystem::path& directory)
      : model_(model::load_model_directory(directory.string())),
        default_(model::detail::index_of(model_.default_variant, model_.variants)) {
    if (!model_.errors.empty()) gate_.emplace(model_);
  }

  [[nodiscard]] const model::loaded_model& content() const { return model_; }

  [[nodiscard]] selection select(const doubles& values) const {
    check(values.ndim() == 1 ? values.shape(0) : -1);
    selection made;
    made.scores.resize(model_.variants.size());
    const model::decision decision = model_.predictor.decide(row(values, 0), made.scores);
    const auto [index, reason] = settled(decision, row(values, 0));
    made.index = index;
    made.reason = reason;
    return made;
  }

  [[nodiscard]] std::pair<py::array_t<std::int64_t>, std::vector<std::string>> select_many(
      const doubles& values) const {
    check(values.ndim() == 2 ? values.shape(1) : -1);
    const auto count = static_cast<std::size_t>(values.shape(0));
    py::array_t<std::int64_t> indices(values.shape(0));
    std::vector<std::string> reasons(count, chosen_by_model);
    std::int64_t* const out = indices.mutable_data();
    for (std::size_t i = 0; i < count; ++i) {
      const auto [index, reason] = settled(model_.predictor.decide(row(values, i)), row(values, i));
      out[i] = static_cast<std::int64_t>(index);
      reasons[i] = reason;
    }
    return {indices, reasons};
  }

 private:
  [[nodiscard]] std::pair<std::size_t, const char*> settled(
      const model::decision& decision, std::span<const double> features) const {
    if (!decision.inside) return {default_, outside_region};
    if (!gate_) return {decision.variant, chosen_by_model};
    const auto untightened = [](std::size_t) { return 0.0; };
    const auto admitted = gate_->choice(model_.predictor, features, decision.variant, untightened);
    if (admitted == decision.variant) return {decision.variant, chosen_by_model};
    return {admitted.value_or(default_), error_bound};
  }

  void check(py::ssize_t features) const {
    if (features == static_cast<py::ssize_t>(model_.features.size())) return;
    throw fettle::error("the model of " + model_.function + " wants the values of its " +
                        fettle::number_text(model_.features.size()) + " features, in their order" +
                        (features < 0 ? std::string(" and other dimensions")
                                      : ", but got " + fettle::number_text(features)));
  }

  [[nodiscard]] std::span<const double> row(const doubles& values, std::size_t i) const {
    return {values.data() + i * model_.features.size(), model_.features.size()};
  }

  model::loaded_model model_;
  std::size_t default_;
  std::optional<model::error_gate> gate_;
};

inline void bind_model(py::module_& module) {
  py::class_<selection>(module, "Selection", "What a model selects for one input.")
      .def_readonly("index", &selection::index, "The variant's index in Model.variants.")
      .def_readonly("reason", &selection::reason)
      .def_readonly("scores", &selection::scores, "A number a variant; larger is better.")
      .def("__repr__", [](const selection& self) {
        return "Selection(index=" + fettle::number_text(self.index) + ", reason='" + self.reason +
               "')";
      });
  py::class_<native_model>(module, "Model",
                           "A model directory, evaluated by the code that deployed programs run.")
      .def(py::init<const std::filesystem::path&>(), py::arg("directory"),
           "Raises fettle.FettleError where the directory holds no usable model.")
      .def_property_readonly("function", [](const native_model& m) { return m.content().function; })
      .def_property_readonly("classifier",
                             [](const native_model& m) { return m.content().classifier; })
      .def_property_readonly("variants", [](const native_model& m) { return m.content().variants; })
      .def_property_readonly("features", [](const native_model& m) { return m.content().features; })
      .def_property_readonly("default",
                             [](const native_model& m) { return m.content().default_variant; })
      .def_property_readonly("used_features",
                             [](const native_model& m) { return m.content().used_features; })
      .def_property_readonly(
          "inputs",
          [](const native_model& m) { return inputs_of(m.content().inputs, m.content().features); },
          "Tuples (transform, feature, divisor or None, low, high).")
      .def_property_readonly("provenance",
                             [](const native_model& m) { return m.content().provenance; })
      .def("select", &native_model::select, py::arg("values"),
           "The variant for the values of all features, in the order of `features`: the default "
           "one where they are outside the trained region.")
      .def("select_many", &native_model::select_many, py::arg("values"),
           "select() for each row: an array of variants and a list of reasons.");
}

}  // namespace fettle_native
