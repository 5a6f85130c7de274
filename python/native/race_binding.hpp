// fettle._native.Race: the race between variants, run by the tuner itself.
#pragma once

#include <cstddef>
#include <limits>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <span>
#include <vector>

#include <fettle/measure/race.hpp>

namespace fettle_native {

namespace py = pybind11;

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

inline const char* outcome_name(fettle::race_outcome outcome) {
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

inline native_race make_race(std::size_t variants, std::size_t minimum_samples,
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

inline void bind_race(py::module_& module) {
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

}  // namespace fettle_native
