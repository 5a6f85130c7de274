// fettle._native: the C++ predictors and the statistics of measuring, for the tuner, so that Python
// judges a model by the very code that will select with it.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
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
#include <fettle/machine/description.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/model/model_directory.hpp>

namespace py = pybind11;
namespace model = fettle::model;

namespace {

using doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// The texts are those of fettle::selection_reason.
constexpr const char* chosen_by_model = "model";
constexpr const char* outside_region = "outside the trained region";

struct selection {
  std::size_t index;
  std::string reason;
  std::vector<double> scores;
};

/// A model directory as deployed: the default variant stands in outside the trained region.
class native_model {
 public:
  explicit native_model(const std::filesystem::path& directory)
      : model_(model::load_model_directory(directory.string())),
        default_(model::detail::place_of(model_.default_variant, model_.variants)) {}

  [[nodiscard]] const model::loaded_model& content() const { return model_; }

  [[nodiscard]] selection select(const doubles& values) const {
    check(values.ndim() == 1 ? values.shape(0) : -1);
    selection made;
    made.scores.resize(model_.variants.size());
    const model::decision decision = model_.predictor.decide(row(values, 0), made.scores);
    made.index = decision.inside ? decision.variant : default_;
    made.reason = decision.inside ? chosen_by_model : outside_region;
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
      const model::decision decision = model_.predictor.decide(row(values, i));
      out[i] = static_cast<std::int64_t>(decision.inside ? decision.variant : default_);
      if (!decision.inside) reasons[i] = outside_region;
    }
    return {indices, reasons};
  }

 private:
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
};

/// An input as Python sees it: (transform, feature, divisor or None, low, high).
py::list inputs_of(const native_model& self) {
  py::list inputs;
  const model::loaded_model& content = self.content();
  for (const model::model_input& input : content.inputs) {
    py::object divisor = py::none();
    if (model::has_divisor(input.kind)) divisor = py::str(content.features[input.divisor]);
    inputs.append(py::make_tuple(std::string(model::name_of(input.kind)),
                                 content.features[input.feature], divisor, input.low, input.high));
  }
  return inputs;
}

void bind_model(py::module_& module) {
  py::class_<selection>(module, "Selection", "What a model selects for one input.")
      .def_readonly("index", &selection::index, "The variant's place in Model.variants.")
      .def_readonly("reason", &selection::reason)
      .def_readonly("scores", &selection::scores, "A number a variant; larger is better.")
      .def("__repr__", [](const selection& self) {
        return "Selection(index=" + fettle::number_text(self.index) + ", reason='" + self.reason +
               "')";
      });
  py::class_<native_model>(module, "Model",
                           "A model directory, evaluated by the code that deployed programs run.")
      .def(py::init<const std::filesystem::path&>(), py::arg("directory"),
           "Raises fettle.errors.FettleError where the directory holds no usable model.")
      .def_property_readonly("function", [](const native_model& m) { return m.content().function; })
      .def_property_readonly("classifier",
                             [](const native_model& m) { return m.content().classifier; })
      .def_property_readonly("variants", [](const native_model& m) { return m.content().variants; })
      .def_property_readonly("features", [](const native_model& m) { return m.content().features; })
      .def_property_readonly("default",
                             [](const native_model& m) { return m.content().default_variant; })
      .def_property_readonly("used_features",
                             [](const native_model& m) { return m.content().used_features; })
      .def_property_readonly("inputs", &inputs_of,
                             "Tuples (transform, feature, divisor or None, low, high).")
      .def_property_readonly("provenance",
                             [](const native_model& m) { return m.content().provenance; })
      .def("select", &native_model::select, py::arg("values"),
           "The variant for the values of all features, in the order of `features`: the default "
           "one where they are outside the trained region.")
      .def("select_many", &native_model::select_many, py::arg("values"),
           "select() for each row: an array of variants and a list of reasons.");
}

/// A race whose variants' numbers are checked.
class native_race {
 public:
  native_race(std::size_t variants, const fettle::race_options& options,
              const std::vector<std::size_t>& out, double best_so_far)
      : variants_(variants), race_(variants, options, checked(out), best_so_far) {}

  [[nodiscard]] fettle::race& race() { return race_; }

  std::size_t checked(std::size_t variant) const {
    if (variant >= variants_) throw py::index_error("there is no variant of that number");
    return variant;
  }

 private:
  const std::vector<std::size_t>& checked(const std::vector<std::size_t>& variants) const {
    for (const std::size_t variant : variants) checked(variant);
    return variants;
  }

  std::size_t variants_;
  fettle::race race_;
};

const char* outcome_name(fettle::race_outcome outcome) {
  switch (outcome) {
    case fettle::race_outcome::settled:
      return "settled";
    case fettle::race_outcome::budget:
      return "budget";
    case fettle::race_outcome::single:
      return "single";
    case fettle::race_outcome::running:
      break;
  }
  return "running";
}

native_race make_race(std::size_t variants, std::size_t minimum_samples,
                      std::size_t maximum_samples, double budget_s, double confidence,
                      double indifference, double hopeless, bool racing,
                      const std::vector<std::size_t>& out, double best_so_far) {
  fettle::race_options options;
  options.minimum_samples = minimum_samples;
  options.maximum_samples = maximum_samples;
  options.budget_s = budget_s;
  options.confidence = confidence;
  options.indifference = indifference;
  options.hopeless = hopeless;
  options.racing = racing;
  return {variants, options, out, best_so_far};
}

void bind_race(py::module_& module) {
  const fettle::race_options usual;
  py::class_<native_race>(module, "Race",
                          "Who runs next, who is out, when it is over: the race that the measuring "
                          "engine runs between variants on one input.")
      .def(py::init(&make_race), py::arg("variants"), py::kw_only(),
           py::arg("minimum_samples") = usual.minimum_samples,
           py::arg("maximum_samples") = usual.maximum_samples, py::arg("budget_s") = usual.budget_s,
           py::arg("confidence") = usual.confidence, py::arg("indifference") = usual.indifference,
           py::arg("hopeless") = usual.hopeless, py::arg("racing") = usual.racing,
           py::arg("out") = std::vector<std::size_t>(),
           py::arg("best_so_far") = std::numeric_limits<double>::infinity())
      .def(
          "next", [](native_race& self) { return self.race().next(); },
          "The variant to run next; None when the race is over.")
      .def(
          "tell",
          [](native_race& self, std::size_t variant, const std::vector<double>& samples,
             double seconds) { self.race().tell(self.checked(variant), samples, seconds); },
          py::arg("variant"), py::arg("samples"), py::arg("seconds"),
          "Adds samples (smaller is better), which took so many seconds of wall clock.")
      .def(
          "disqualify",
          [](native_race& self, std::size_t variant) {
            self.race().disqualify(self.checked(variant));
          },
          py::arg("variant"), "Takes a variant out: it failed.")
      .def(
          "best", [](native_race& self) { return self.race().best(); },
          "The variant with the smallest median; None where none has a sample.")
      .def(
          "samples",
          [](native_race& self, std::size_t variant) {
            const std::span<const double> samples = self.race().samples(self.checked(variant));
            return std::vector<double>(samples.begin(), samples.end());
          },
          py::arg("variant"))
      .def_property_readonly("spent_seconds",
                             [](native_race& self) { return self.race().spent_seconds(); })
      .def_property_readonly(
          "outcome", [](native_race& self) { return outcome_name(self.race().outcome()); },
          "'running', or why it is over: 'settled', 'budget' or 'single'.");
}

py::object machine_description() {
  std::string text;
  fettle::json_writer writer(text);
  fettle::write_json(writer, fettle::describe_machine());
  return py::module_::import("json").attr("loads")(text);
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "Fettle's C++ predictors, races and machine description.";
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const fettle::error& caught) {
      py::set_error(py::module_::import("fettle.errors").attr("FettleError"), caught.what());
    }
  });
  bind_model(module);
  bind_race(module);
  module.def("machine_description", &machine_description,
             "What the operating system tells about this machine: a dict.");
}
