#include "machine_binding.hpp"

#include <ctime>
#include <map>
#include <pybind11/stl.h>
#include <string>

#include <fettle/machine/gpu_features.hpp>
#include <fettle/machine/known_machine.hpp>
#include <fettle/machine/measured_features.hpp>
#include <fettle/machine/processor_features.hpp>

namespace fettle_native {

namespace {

namespace py = pybind11;

py::dict dict_of(const fettle::device_features& features) {
  py::dict found;
  for (const fettle::device_feature& one : features) found[py::str(one.name)] = one.value;
  return found;
}

py::dict measured(double seconds) {
  fettle::device_features features;
  {
    const py::gil_scoped_release others_run;
    features = fettle::measure_processor(seconds);
  }
  return dict_of(features);
}

}  // namespace

void bind_machine(py::module_& module) {
  module.def(
      "processor_features", [] { return dict_of(fettle::processor_features()); },
      "What the system says of the processor: a dict of numbers.");
  module.def("machine_file", &fettle::machine_file,
             "Where programs keep this machine's device features; empty: nowhere.");
  module.def(
      "write_machine",
      [](const std::string& file, const std::map<std::string, double>& features,
         const std::map<std::string, double>& own) {
        fettle::known_machine machine{fettle::detail::processor_and_cores(),
                                      fettle::detail::driver_version(),
                                      std::time(nullptr),
                                      {},
                                      {}};
        for (const auto& [name, value] : features) machine.features.push_back({name, value});
        for (const auto& [name, value] : own) machine.own.push_back({name, value});
        fettle::detail::keep_machine(file, machine);
      },
      py::arg("file"), py::arg("features"), py::arg("own"),
      "Writes the file by which programs know this machine.");
  module.def("measure_processor", &measured, py::arg("seconds") = 3.0,
             "What the processor does in practice, measured for so many seconds: a dict of "
             "numbers.");
  module.def(
      "gpu_features",
      [](int device) {
        const fettle::gpu_description gpu = fettle::describe_gpu(device);
        return py::make_tuple(gpu.name, dict_of(gpu.features));
      },
      py::arg("device") = 0,
      "The name of a GPU and a dict of numbers; both empty where there is no driver or device.");
}

}  // namespace fettle_native
