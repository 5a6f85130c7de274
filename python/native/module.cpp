// fettle._native: what the tuner asks of the library, so that it judges a model by the very code
// that will select with it, and every rule of the library is written once.
#include <exception>
#include <pybind11/pybind11.h>
#include <string>

#include <fettle/core/error.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/machine/description.hpp>

#include "cuda_kernel_binding.hpp"
#include "expression_binding.hpp"
#include "machine_binding.hpp"
#include "model_binding.hpp"
#include "model_files_binding.hpp"
#include "policy_limits_binding.hpp"
#include "race_binding.hpp"

namespace py = pybind11;

namespace {

py::object machine_description() {
  std::string text;
  fettle::json_writer writer(text);
  fettle::write_json(writer, fettle::describe_machine());
  return py::module_::import("json").attr("loads")(text);
}

/// A message as Python's text: it may name a file, whose name may be of any bytes.
py::str printable(std::string_view message) {
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "Fettle's C++ predictors, races, rules and machine description.";
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const fettle::error& caught) {
      py::set_error(py::module_::import("fettle.core.errors").attr("FettleError"),
                    printable(caught.what()));
    }
  });
  fettle_native::bind_model(module);
  fettle_native::bind_model_files(module);
  fettle_native::bind_race(module);
  fettle_native::bind_expression(module);
  fettle_native::bind_policy_limits(module);
  fettle_native::bind_cuda_kernel(module);
  fettle_native::bind_machine(module);
  module.def("machine_description", &machine_description,
             "What the operating system tells about this machine: a dict.");
}
