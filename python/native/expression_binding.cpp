#include "expression_binding.hpp"

#include <cstdint>
#include <pybind11/stl.h>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/parameters/parameter_expression.hpp>

namespace fettle_native {

namespace {

namespace py = pybind11;
using fettle::detail::expression;

bool holds(const expression& self, const std::vector<std::int64_t>& values) {
  if (values.size() != self.names().size()) {
    throw fettle::error("the constraint '" + self.text() + "' is about " +
                        fettle::number_text(self.names().size()) + " parameters, but got " +
                        fettle::number_text(values.size()) + " values");
  }
  return self.holds(values);
}

}  // namespace

void bind_expression(py::module_& module) {
  py::class_<expression>(module, "Expression",
                         "A constraint between parameters, as \"block * grain <= 1024\".")
      .def(py::init<std::string>(), py::arg("text"),
           "Raises fettle.FettleError, which says where and what was expected.")
      .def_property_readonly("text", &expression::text)
      .def_property_readonly("names", &expression::names,
                             "The parameters in it, in the order in which they first appear.")
      .def("holds", &holds, py::arg("values"),
           "Whether it holds where names[i] is values[i]. What divides by zero or leaves 64 bits "
           "does not.");
  module.def(
      "is_parameter_name",
      [](const std::string& text) { return fettle::detail::is_parameter_name(text); },
      py::arg("text"), "Whether the text may name a parameter.");
}

}  // namespace fettle_native
